"""The live house on the web: a server, its doors and its pages; everything that is decided is decided in `pitboss.pit`."""
