// The repository's address, and everything that is derived from it. The owner enters the address in one
// place, `repository` in package.json; without an entry, a workflow of GitHub gets it from the environment.
// If the address is unknown, the manifests of both packages have no keys that need it.
import { posix } from 'node:path';
import manifest from '../package.json' with { type: 'json' };

type Entered = string | { readonly url: string } | undefined;

const { repository: ofManifest } = manifest as { readonly repository?: Entered };
const tag = `v${manifest.version}`;

/** Returns an address such as `https://github.com/example/understudy`. Throws if the entered address has another form. */
export function findRepository(entered: Entered = ofManifest, env = process.env): string | undefined {
  const { GITHUB_SERVER_URL: server = '', GITHUB_REPOSITORY: name = '' } = env;
  const ofWorkflow = server && name && `${server}/${name}`;
  const given = (typeof entered === 'object' ? entered.url : entered) ?? ofWorkflow;
  // `npm pkg fix` writes addresses with git+ and .git.
  const address = given.replace(/^git\+/, '').replace(/\.git$/, '');
  if (address !== '' && !/^https:\/\/[\w.-]+(?:\/[\w.-]+){2,}$/.test(address))
    throw new Error(`"repository" in package.json must be such as https://github.com/example/understudy, not ${given}`);
  return address || undefined;
}

/** The keys of package.json with the address, in the form that `npm publish` would write. */
export const inManifest = (address: string | undefined): object =>
  address === undefined
    ? {}
    : {
        homepage: `${address}#readme`,
        repository: { type: 'git', url: `git+${address}.git` },
        bugs: { url: `${address}/issues` },
      };

/** The last table of pyproject.toml, which has the address. */
export const inPyproject = (address: string | undefined): string =>
  address === undefined
    ? ''
    : `
[project.urls]
Documentation = "${address}/blob/${tag}/docs/how-to/test-with-pytest.md"
Changelog = "${address}/blob/${tag}/CHANGELOG.md"
Issues = "${address}/issues"
Source = "${address}"
`;

/**
 * Changes a page for readers who don't have the repository: relative links lead to the files of this version in the repository. Without
 * an address, each such link becomes its text, and pictures are left out.
 * @param folder the folder of the page, to which its links are relative
 */
export function withAbsoluteLinks(page: string, folder: string, address: string | undefined): string {
  const at = (kind: string, link: string) => `${address}/${kind}/${tag}/${posix.join(folder, link)}`;
  const linked = page.replaceAll(/\[([^\]]+)\]\((?!\w+:|#)([^)\s]+)\)/g, (_, text: string, link: string) =>
    address === undefined ? text : `[${text}](${at('blob', link)})`,
  );
  return address === undefined
    ? linked.replaceAll(/<picture>[^]*?<\/picture>\s*/g, '')
    : linked.replaceAll(/(?<=\bsrc(?:set)?=")(?!\w+:)[^"]+/g, (link) => at('raw', link));
}
