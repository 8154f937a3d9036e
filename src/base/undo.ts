// Closes in reverse order what a start has opened: the part of AsyncDisposableStack that we use, which Node 22 doesn't have.

export class Undo implements AsyncDisposable {
  #steps: (() => unknown)[] = [];

  /** Adds a step that closes something. */
  defer(step: () => unknown): void {
    this.#steps.push(step);
  }

  use<T extends AsyncDisposable>(resource: T): T {
    this.defer(() => resource[Symbol.asyncDispose]());
    return resource;
  }

  /** Moves the steps into the returned function; this object then closes nothing. */
  move(): () => Promise<void> {
    const moved = new Undo();
    [moved.#steps, this.#steps] = [this.#steps, []];
    return () => moved[Symbol.asyncDispose]();
  }

  /** Runs all steps, the last first, even after a failure; then throws the failures. */
  async [Symbol.asyncDispose](): Promise<void> {
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
}
