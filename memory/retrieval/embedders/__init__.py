"""Texts as vectors, by a model in a process of its own or by a server, behind one interface."""
