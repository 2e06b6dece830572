"""The `keepsake` command line: one module per subcommand."""
