// The projects and components that subscriptions and groups name by URL.
import type { WireSubscription } from './wire.ts';

/** `demo` of …/api/projects/demo/; undefined where the URL is no project's. */
export const projectSlug = (url: string): string | undefined => lastSteps(url, 'projects')?.[0];

/** `demo/app` of …/api/components/demo/app/; undefined where it is no component's, or that of one in a category. */
export function componentPath(url: string): string | undefined {
  const [project, component, ...more] = lastSteps(url, 'components') ?? [];
  // The real system writes category and component as one step, `app%252Fmain`.
  if (project === undefined || component === undefined || more.length > 0 || /[%/]/u.test(component)) return undefined;
  return `${project}/${component}`;
}

/** Whether a seed can name what a subscription is limited to. */
export function hasNameableTarget({ project, component }: WireSubscription): boolean {
  if (project) return projectSlug(project) !== undefined;
  return !component || componentPath(component) !== undefined;
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
