"""The program `keepsake`: one module for each subcommand."""
