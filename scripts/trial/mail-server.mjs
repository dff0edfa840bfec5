// A mail server for the trial: TLS on port 465, one user, whose password is in a file. It counts the emails it accepts.
//   node mail-server.mjs KEY CERTIFICATE PASSWORD_FILE COUNT_FILE
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:tls";

const [key, cert, passwordFile, countFile] = process.argv.slice(2);
let letters = 0;
writeFileSync(countFile, "0");

function answer(line) {
  if (/^EHLO/i.test(line)) return "250-trial\r\n250 AUTH PLAIN";
  if (/^AUTH PLAIN /i.test(line)) {
    const given = Buffer.from(line.slice(11), "base64").toString().split("\0").at(-1);
    return given === readFileSync(passwordFile, "utf8").trim() ? "235 2.7.0 Accepted" : "535 5.7.8 Refused";
  }
  if (/^DATA/i.test(line)) return "354 Go on";
  if (/^QUIT/i.test(line)) return "221 Bye";
  return "250 2.0.0 OK";
}

createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (socket) => {
  let buffered = "";
  let inData = false;
  socket.on("error", () => {});
  socket.write("220 trial\r\n");
  socket.on("data", (chunk) => {
    buffered += chunk;
    for (let end = buffered.indexOf("\r\n"); end >= 0; end = buffered.indexOf("\r\n")) {
      const line = buffered.slice(0, end);
      buffered = buffered.slice(end + 2);
      if (inData && line !== ".") continue;
      if (inData) {
        letters += 1;
        writeFileSync(countFile, String(letters));
      }
      const said = inData ? "250 2.0.0 Queued" : answer(line);
      inData = said.startsWith("354");
      socket.write(`${said}\r\n`);
      if (said.startsWith("221")) socket.end();
    }
  });
}).listen(465, "127.0.0.1");
