// What a start has opened so far, to be closed in reverse order: the part of AsyncDisposableStack that we use, for Node 22 lacks it.

export class Undo implements AsyncDisposable {
  #steps: (() => unknown)[] = [];

  /** Adds a step that closes something. */
  defer(step: () => unknown): void {
    this.#steps.push(step);
  }

  adopt<T>(resource: T, close: (resource: T) => unknown): T {
    this.defer(() => close(resource));
    return resource;
  }

  use<T extends AsyncDisposable>(resource: T): T {
    return this.adopt(resource, (used) => used[Symbol.asyncDispose]());
  }

  /** Gives the steps to a new owner; this one closes nothing any more. */
  move(): Undo {
    const moved = new Undo();
    moved.#steps = this.#steps;
    this.#steps = [];
    return moved;
  }

  /** Does all steps, the last first, also after one failed; then throws what failed. */
  async disposeAsync(): Promise<void> {
    const failures: unknown[] = [];
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length === 1) throw failures[0];
    if (failures.length > 1) throw new AggregateError(failures, 'several steps of an end failed');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.disposeAsync();
  }
}
