"""Support code of the tests: the fake model server, container images."""
