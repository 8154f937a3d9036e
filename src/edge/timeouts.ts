// How long a client may take, and how many may stay: settings of Node's HTTP server. Who is too slow is answered 408 where an answer
// still fits, and in any case holds nothing that others need.

/** Options of the app. Node looks every second who is over time. */
export const clientPatience = {
  // For all of a request, its body included.
  requestTimeout: 60_000,
  // Longer than the balancers in use keep an idle connection, so that it is they who end it.
  keepAliveTimeout: 75_000,
  // Without a byte in either direction: the reader of an answer has stopped reading.
  connectionTimeout: 150_000,
  http: { headersTimeout: 15_000, connectionsCheckingInterval: 1000 },
} as const;

/** Most clients of a pool idle most of the time. */
export const connectionsPerRequest = 8;
