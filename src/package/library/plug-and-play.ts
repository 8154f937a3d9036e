// Yarn's Plug'n'Play leaves packages in archives, where no program can be run.

/** Undefined for a package in a folder. The file must load in Node 18, which lacks `import.meta.filename`. */
export const adviceOnArchive = import.meta.filename?.includes('.zip/')
  ? "Yarn's Plug'n'Play can't run the service: set `nodeLinker: node-modules` in .yarnrc.yml, and install again."
  : undefined;
