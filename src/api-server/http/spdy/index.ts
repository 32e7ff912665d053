/** SPDY in its version 3.1, as far as Kubernetes uses it, on a connection of its own or inside a WebSocket. The way in is {@link SpdyConnection}. */
export { transportInside, transportOver } from './byte-transport.js';
export { SpdyConnection } from './spdy-connection.js';
