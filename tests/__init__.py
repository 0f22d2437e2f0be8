"""The tests, a package so that suites can share helpers; holds nothing itself."""
