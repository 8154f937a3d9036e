// Time limits for clients: settings of Node's HTTP server. A client that is too slow gets 408 where an answer can still
// be sent, and loses its connection.

/** Options of the app. */
export const clientTimeouts = {
  // For the whole request, its body included.
  requestTimeout: 60_000,
  // Longer than common balancers keep an idle connection, so that the balancer closes it first.
  keepAliveTimeout: 75_000,
  // Without a byte in either direction: the client has stopped reading its answer.
  connectionTimeout: 150_000,
  http: { headersTimeout: 15_000, connectionsCheckingInterval: 1000 },
} as const;

/** Most connections of a client's pool are idle most of the time. */
export const connectionsPerRequest = 8;
