"""Read by a fresh interpreter as it starts: the program is as patient with its database there as in a nursery."""

from tests.e2e import points

points.change({where: value for where, value in points.PATIENT.items() if where.startswith("db.")})
