"""Reading of model files as data: files within roots, findings with file and line, YAML, VRML97 and XML as nodes."""
