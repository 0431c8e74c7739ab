# Three images: `--target shop` is the demo shop with the chat, `--target server` the chat server alone, beside a
# shop in any language (docs/any-language.md), `--target channel` the Chat API as a program.
# compose.yaml starts both, with what they need. docs/deploy/containers.md says what was tried.
ARG NODE_IMAGE=node:24-slim

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The image brings Node, and no other package needs its install script.
RUN npm ci --ignore-scripts

FROM packages AS build
COPY . .
RUN NEXT_OUTPUT=standalone npm run build

FROM ${NODE_IMAGE} AS shop
# The last one: longer than nginx keeps an idle connection.
ENV NODE_ENV=production HOSTNAME=0.0.0.0 PORT=3000 KEEP_ALIVE_TIMEOUT=75000
WORKDIR /app
COPY --from=build /app/.next/standalone ./
COPY --from=build /app/.next/static .next/static
COPY --from=build /app/public public
# The files belong to root, so the server cannot change them. It writes visitors' feedback to .data.
RUN mkdir .data && chown node:node .data
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/api/chat/health/live').then(({ ok }) => process.exit(ok ? 0 : 1))"]
CMD ["node", "server.js"]

FROM packages AS kit
COPY . .
RUN node scripts/package.ts

FROM ${NODE_IMAGE} AS server
ENV NODE_ENV=production HOST=0.0.0.0 PORT=2429
WORKDIR /app
COPY --from=kit /app/dist/shop-chat.tgz ./
RUN npm init --yes && npm install --ignore-scripts ./shop-chat.tgz ioredis @prometheus-io/client
USER node
EXPOSE 2429
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/api/chat/health/live').then(({ ok }) => process.exit(ok ? 0 : 1))"]
CMD ["node_modules/.bin/shop-chat", "serve"]

FROM packages AS channel-packages
# The channel is Node alone: most of the weight is Next's.
RUN npm prune --omit=dev --ignore-scripts && rm -rf node_modules/next node_modules/@next node_modules/@img node_modules/react*

FROM ${NODE_IMAGE} AS channel
ENV NODE_ENV=production CHANNEL_HOST=0.0.0.0 CHANNEL_PORT=2428 CHANNEL_DATA_DIR=/data \
    CHANNEL_AGENT=agent/create-agent.ts CHANNEL_SHOP_DIR=lib/shop
WORKDIR /app
COPY --from=channel-packages /app/node_modules node_modules
COPY package.json ./
COPY agent agent
COPY channel channel
COPY docs/chat-api.md docs/
COPY lib lib
# The container's files are read-only: without this, each of its starts would learn.
RUN node agent/learn.ts
# Keys that it generates, and its data unless CHANNEL_DATABASE_URL names a PostgreSQL.
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node
EXPOSE 2428
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.CHANNEL_PORT + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1))"]
CMD ["node", "channel/main.ts"]
