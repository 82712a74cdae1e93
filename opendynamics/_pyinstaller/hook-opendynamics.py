"""Family members are imported by their place, which no analysis of imports finds: all modules are included. So are their
sources, as files: the cache keys of compiled kernels are computed from them."""

from PyInstaller.utils.hooks import collect_submodules

hiddenimports = collect_submodules("opendynamics", filter=lambda name: not name.startswith("opendynamics._pyinstaller"))
module_collection_mode = "pyz+py"
