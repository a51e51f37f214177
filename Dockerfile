# The image of a server. docs/use/team-server.md says how it is run; test/system/package/image.suite.ts carries out its steps.

FROM node:22.21.1-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN node scripts/build.mjs
RUN node scripts/image.mjs image

# The program needs Node and nothing else of this image: no npm, no yarn.
FROM node:22.21.1-alpine3.22 AS node

FROM alpine:3.22.2
LABEL org.opencontainers.image.title="Atoll" \
      org.opencontainers.image.description="A mock-first contract server for the REST interface of an Islandora repository." \
      org.opencontainers.image.licenses="MIT"
COPY --from=node /usr/lib/libstdc++.so.6 /usr/lib/libgcc_s.so.1 /usr/lib/
COPY --from=node /usr/local/bin/node /usr/local/bin/node
COPY --from=build /build/image/app /app
# A new volume at /data takes over its owner.
COPY --from=build --chown=1000:1000 /build/image/data /data
ENV NODE_ENV=production
USER 1000:1000
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "/app/dist/main.js", "health", "--url", "http://127.0.0.1:8000"]
ENTRYPOINT ["node", "/app/dist/main.js"]
CMD ["serve", "--host", "0.0.0.0", "--data", "/data"]
