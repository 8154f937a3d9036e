// The repository's address, and all that is derived from it. The owner enters it in one place, `repository` in package.json; a workflow
// of GitHub knows it without. Where nothing names it, what needs it is left out.
import { posix } from 'node:path';
import manifest from '../package.json' with { type: 'json' };

type Entered = string | { readonly url: string } | undefined;

const { repository: ofManifest } = manifest as { readonly repository?: Entered };
const tag = `v${manifest.version}`;

/** Such as `https://github.com/example/understudy`. Throws if what was entered has another form. */
export function findRepository(entered: Entered = ofManifest, env = process.env): string | undefined {
  const { GITHUB_SERVER_URL: server = '', GITHUB_REPOSITORY: name = '' } = env;
  const ofWorkflow = server && name && `${server}/${name}`;
  const given = (typeof entered === 'object' ? entered.url : entered) ?? ofWorkflow;
  // As `npm pkg fix` writes it.
  const address = given.replace(/^git\+/, '').replace(/\.git$/, '');
  if (address !== '' && !/^https:\/\/[\w.-]+(?:\/[\w.-]+){2,}$/.test(address))
    throw new Error(`"repository" in package.json must be such as https://github.com/example/understudy, not ${given}`);
  return address || undefined;
}

/** What package.json says of it, in the form that `npm publish` would write. */
export const inManifest = (address: string | undefined): object =>
  address === undefined
    ? {}
    : {
        homepage: `${address}#readme`,
        repository: { type: 'git', url: `git+${address}.git` },
        bugs: { url: `${address}/issues` },
      };

/** The last table of pyproject.toml. */
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
 * A page for a reader who doesn't have the repository: its relative links lead to the files of this version there. Without an address,
 * they become their text, and pictures are left out.
 * @param folder of the page, from which its links start
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
