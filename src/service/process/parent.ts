// The program that started the service with a channel and --exit-on-ipc-close, as the library does: it learns when
// the service listens or why it doesn't, and the service ends when the channel closes.

// The remaining connections are of clients that the parent left behind.
const endMs = 2000;

export type Parent = NonNullable<ReturnType<typeof findParent>>;

/** Undefined if this process was started without a channel. */
export function findParent() {
  if (process.send === undefined) return undefined;
  const controller = new AbortController();
  let hasStarted = false;
  process.once('disconnect', () => {
    // There is nothing to complete: the watchdog ends PostgreSQL, and removes a temporary folder.
    if (!hasStarted) process.exit();
    controller.abort();
    setTimeout(() => process.exit(), endMs).unref();
  });
  const send = (message: object): Promise<void> =>
    // A parent that is gone shows as a closed channel.
    new Promise((resolve) => void process.send?.(message, undefined, {}, () => resolve()));
  return {
    gone: controller.signal,
    ready(service: object): void {
      hasStarted = true;
      void send({ ready: service });
    },
    async failed(message: string): Promise<void> {
      hasStarted = true;
      await send({ failed: { message } });
    },
    /** Closes the channel, which would keep this process from ending. */
    leave: () => void (process.connected && process.disconnect?.()),
  };
}
