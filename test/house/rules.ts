// The rules of the house, each as a function that lists what breaks it.
import { basename, dirname } from 'node:path';
import { type Import, listImports, type Sources, toArrow } from './sources.ts';

/** File names that every resource may have; all other names occur once. */
const roles = ['handlers.ts', 'operations.ts', 'queries.ts', 'serialize.ts'];

export function findNamesakes(sources: Sources): string[] {
  return [...Map.groupBy(sources.keys(), (file) => basename(file))].flatMap(([name, files]) =>
    files.length > 1 && !roles.includes(name) ? [`${files.join(' and ')} have the same name`] : [],
  );
}

/** Circles of imports among the files and folders of any one folder. */
export function findCircles(sources: Sources): string[] {
  const arrows = Map.groupBy(listImports(sources).map(toArrow), ({ from }) => from);
  return [...arrows.keys()].flatMap((start) => {
    const circle = findCircle(start, arrows);
    // Each member of a circle finds the circle: it is listed from its first member.
    return circle?.every((member) => member >= start) ? [[...circle, start].join(' -> ')] : [];
  });
}

/** The shortest way from `start` back to it. */
function findCircle(start: string, arrows: ReadonlyMap<string, readonly Import[]>): string[] | undefined {
  const paths = [[start]];
  const seen = new Set<string>();
  for (const path of paths) {
    for (const { to } of arrows.get(path.at(-1) ?? '') ?? []) {
      if (to === start) return path;
      if (!seen.has(to)) paths.push([...path, to]);
      seen.add(to);
    }
  }
  return undefined;
}

const holdsQueries = (file: string) => /(?:^|[/-])queries\.ts$/.test(file);

export function findForbiddenImports(sources: Sources): string[] {
  return listImports(sources).flatMap(({ from, to }) => {
    const line = `${from} imports ${to}`;
    if (to.startsWith('..')) return dirname(to) === '../migrations' ? [] : [`${line}, which lies outside of src/`];
    const arrow = toArrow({ from, to });
    const isForeign = dirname(arrow.from) === 'weblate' && holdsQueries(to) && dirname(to) === arrow.to;
    return isForeign ? [`${line}, another resource's queries`] : [];
  });
}

/** weblate/ reads tables with rows to hide from callers only by access/visible-queries.ts, which hides them. */
export function findUnguardedReads(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) =>
    file.startsWith('weblate/')
      ? [...text.matchAll(/\bunderstudy\.(projects|components|subscriptions)\b/g)]
          .filter(
            ({ index }) =>
              !/(?:insert into|update|delete from|insertInto\('|updateTable\('|deleteFrom\('|Tables\[')\s*$/.test(
                text.slice(0, index),
              ),
          )
          .map(([table]) => `${file} reads ${table}: start from a visible… query of access/visible-queries.ts`)
      : [],
  );
}

export function findMisplacedSql(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) =>
    holdsSql(text) && !file.startsWith('database/') && !holdsQueries(file) ? [`${file} holds SQL`] : [],
  );
}

const holdsSql = (text: string): boolean =>
  /\bsql(?:<[^`]*>)?`|\bsql\.(?:raw|lit|ref)\(|\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(/.test(text);
