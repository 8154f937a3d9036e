// Types for autocannon, which ships none: only the parts that the bench uses.
declare module 'autocannon' {
  interface Options {
    url: string;
    connections: number;
    duration: number;
    requests: { setupRequest: (request: object) => object }[];
  }
  interface Result {
    requests: { total: number };
    /** Seconds. */
    duration: number;
    /** Milliseconds. */
    latency: { p50: number; p99: number };
    non2xx: number;
    errors: number;
    timeouts: number;
  }
  export default function autocannon(options: Options): Promise<Result>;
}
