"""How values look on a page: charts, months, numbers and differences."""
