"""Contacts and joints to islands and rows."""
