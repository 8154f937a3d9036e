# The service and its embedded PostgreSQL. Nothing is compiled (docs/decisions/0004-no-build-step.md): the first stage installs the
# packages and drops what only compilers read, the second one is what runs.
FROM node:26-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# Whoever needs settings for npm hands them in: docker build --secret id=npmrc,src=$HOME/.npmrc
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc --mount=type=cache,target=/root/.npm \
    npm ci --omit=dev --no-audit --no-fund

FROM node:26-bookworm-slim
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json LICENSE* ./
COPY bin bin
COPY migrations migrations
COPY seeds seeds
COPY src src
RUN install -d -m 1777 /data && ln -s /app/bin/understudy /usr/local/bin/understudy
ENV NODE_ENV=production UNDERSTUDY_HOST=0.0.0.0 UNDERSTUDY_DATA_DIR=/data/understudy
VOLUME /data
USER 1000:1000
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --start-interval=250ms --retries=3 \
  CMD ["node", "-e", "require('node:http').get({ port: process.env.PORT || 8000, path: '/_understudy/health/ready' }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
ENTRYPOINT ["node", "/app/src/cli/main.ts"]
CMD ["serve"]
