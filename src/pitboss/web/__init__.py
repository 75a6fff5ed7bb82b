"""The live house in a browser: the server and its pages."""
