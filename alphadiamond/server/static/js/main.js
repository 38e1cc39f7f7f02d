// The page of a server: everything goes over its socket.

import { SocketConnection } from "./connection/socket.js";
import { begin } from "./frame.js";

const scheme = location.protocol === "https:" ? "wss:" : "ws:";
begin(new SocketConnection(`${scheme}//${location.host}/ws`));
