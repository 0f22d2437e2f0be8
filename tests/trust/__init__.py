"""Tests of what a stranger may believe: exports, their verification, audits, imports, what forgers and bad disks do."""
