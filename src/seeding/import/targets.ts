// The projects and components that subscriptions and groups name by URL.

/** `demo` of …/api/projects/demo/; undefined where the URL is no project's. */
export const projectSlug = (url: string): string | undefined => lastSteps(url, 'projects')?.[0];

/** `demo/app` of …/api/components/demo/app/. */
export function componentPath(url: string): string | undefined {
  const [project, component] = lastSteps(url, 'components') ?? [];
  return project === undefined || component === undefined ? undefined : `${project}/${component}`;
}

/** 3 of …/api/groups/3/ or …/api/roles/3/. */
export function idOf(url: string, kind: 'groups' | 'roles'): number | undefined {
  const id = Number(lastSteps(url, kind)?.[0]);
  return Number.isInteger(id) ? id : undefined;
}

function lastSteps(url: string, kind: string): string[] | undefined {
  const path = URL.parse(url)?.pathname ?? '';
  const found = new RegExp(`/api/${kind}/(.+?)/?$`, 'u').exec(path)?.[1];
  return found?.split('/').map((step) => {
    try {
      return decodeURIComponent(step);
    } catch {
      return step;
    }
  });
}
