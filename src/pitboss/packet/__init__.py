"""The packet: everything that a regulator, a casino and a dealer are handed, from one game file."""
