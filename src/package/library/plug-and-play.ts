// Yarn's Plug'n'Play, which leaves packages in archives: no program there can be run.

/** What to do; undefined if the package is in a folder. It must load in Node 18, where a module doesn't know its name. */
export const adviceOnArchive = import.meta.filename?.includes('.zip/')
  ? "Yarn's Plug'n'Play can't run the service: set `nodeLinker: node-modules` in .yarnrc.yml, and install again."
  : undefined;
