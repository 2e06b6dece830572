"""Turns texts into vectors, with a model in a child process or on a server, behind one interface."""
