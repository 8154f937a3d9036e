// Closes what was opened, in reverse order, like AsyncDisposableStack, which Node 22 lacks.

export class Undo implements AsyncDisposable {
  readonly #steps: (() => unknown)[] = [];

  defer(step: () => unknown) {
    this.#steps.push(step);
  }

  use<T extends AsyncDisposable>(resource: T) {
    this.defer(() => resource[Symbol.asyncDispose]());
    return resource;
  }

  /** Hands over the steps: the returned function does them. */
  move() {
    const moved = new Undo();
    moved.#steps.push(...this.#steps.splice(0));
    return () => moved[Symbol.asyncDispose]();
  }

  /** Does all steps, the last first, even if one fails; then throws the first failure. */
  async [Symbol.asyncDispose]() {
    const failures: unknown[] = [];
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop())
      await Promise.resolve()
        .then(step)
        .catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }
}
