"""Members of families are imported by their place, which no analysis of imports finds: all modules come along. So do their
sources, as files: compiled kernels are kept under a key that is made of them."""

from PyInstaller.utils.hooks import collect_submodules

hiddenimports = collect_submodules("opendynamics", filter=lambda name: not name.startswith("opendynamics._pyinstaller"))
module_collection_mode = "pyz+py"
