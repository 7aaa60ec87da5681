# docker build -t ichor . && docker run --rm -it -v "$PWD:/work" -e PROXMOX_VE_API_TOKEN ichor plan
FROM node:24-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
COPY scripts ./scripts
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build && npm pack --pack-destination /tmp

FROM node:24-slim
COPY --from=build /tmp/ichor-*.tgz /tmp/ichor.tgz
RUN npm install --global --ignore-scripts --no-audit --no-fund /tmp/ichor.tgz \
 && rm -rf /tmp/ichor.tgz /root/.npm
USER node
WORKDIR /work
ENTRYPOINT ["ichor"]
CMD ["--help"]
