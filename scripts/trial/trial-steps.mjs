/** The guide from the first command to the last, with checks between that are the trial's own. */
export async function trial({ block, check, first, next }) {
  const psql = (sql, options = "-d cercle") => `runuser -u postgres -- psql -Atq ${options} -c "${sql}"`;
  const ready = "curl -sf --retry 60 --retry-all-errors --retry-delay 1 http://127.0.0.1:3000/readyz";
  const register = (name) =>
    `curl -sf -o /dev/null -w '%{http_code}' -d Email=${name}@exemple.fr -d Password=Secret-2026 -d Firstname=Eve -d Lastname=Reste -d Birthday=1990-04-24 -d LoyaltySubscribe=true http://127.0.0.1:3000/api/customer`;

  block("install");
  block("database");
  block("settings");
  block("start");
  check("the service answers, and names its release", "curl -sf http://127.0.0.1:3000/healthz", /"release":"/);
  check("the service runs as its own user", "ps -o user= -p $(systemctl show -p MainPID --value cercle)", /^cercle$/);
  check(
    "exposure below 2.5",
    "systemd-analyze security cercle --threshold=25 | tail -1",
    /level for cercle.service: [01]\.|level for cercle.service: 2\.[0-4]/,
  );
  check(
    "the runtime role cannot change what is append-only",
    `PGPASSWORD=app-secret psql -h 127.0.0.1 -U cercle cercle -Atc 'drop trigger audit_log_stays on audit_log' 2>&1 || true`,
    /must be owner/,
  );
  block("certificate");
  block("nginx");
  check(
    "port 80 leads to https",
    "curl -s -o /dev/null -w '%{redirect_url}' -H 'Host: account.example' http://127.0.0.1/en",
    /^https:\/\/account.example\/en$/,
  );
  check(
    "IPv6, and a customer through the proxy",
    "curl -skf -o /dev/null -w '%{http_code}' -H 'Host: account.example' 'https://[::1]/'",
    /^200$/,
  );
  check(
    "readyz is not published",
    "curl -sk -o /dev/null -w '%{http_code}' -H 'Host: account.example' https://127.0.0.1/readyz",
    /^404$/,
  );
  check(
    "no token in nginx's logs",
    "curl -sk -o /dev/null -H 'Host: account.example' 'https://127.0.0.1/?token=geheim'; grep -rl geheim /var/log/nginx | wc -l || true",
    /^0$/,
  );
  check("a customer registers", register("un"), /^200$/);
  block("commands");

  const load = "(node /root/load.mjs https://127.0.0.1 > /root/load.log 2>&1 & echo $! > /root/load.pid); sleep 3";
  const stopLoad = "sleep 3; kill $(cat /root/load.pid); sleep 2; cat /root/load.log";
  check("load begins", load, /^$/);
  block("upgrade");
  check(
    "the next release answers",
    "for n in $(seq 60); do curl -s http://127.0.0.1:3000/healthz | grep -q 9.9.9 && break; sleep 1; done; sleep 5; curl -sf http://127.0.0.1:3000/healthz",
    /9\.9\.9\+next/,
  );
  check("upgraded under load", stopLoad, /, 0 failed/);
  check("load begins again", load, /^$/);
  check(
    "the way back",
    `cercle use ${first} && systemctl reload cercle && sleep 25 && curl -sf http://127.0.0.1:3000/healthz`,
    /"release":"(?!9\.9\.9)/,
  );
  check("rolled back under load", stopLoad, /, 0 failed/);
  check("both releases are listed", "cercle releases", new RegExp(next));

  check(
    "a start while the database is away waits for it",
    `systemctl stop postgresql cercle; systemctl start cercle; sleep 6; journalctl -u cercle --since -8s | grep -c 'not available'; systemctl start postgresql; ${ready}`,
    /ok$/,
  );
  block("backup");
  check("a customer comes after the backup", register("deux"), /^200$/);
  block("restore");
  check(
    "the restored product answers, without what came later",
    `${ready} >/dev/null; ${psql("select count(*) from customer")}`,
    /^1$/,
  );
  check(
    "a restored customer signs in",
    "curl -s -o /dev/null -w '%{http_code}' -d Email=un@exemple.fr -d Password=Secret-2026 http://127.0.0.1:3000/api/authentification/email",
    /^200$/,
  );
  block("archive");
  block("base-backup");
  check("a customer before the mistake", register("trois"), /^200$/);
  check(
    "the moment is noted, then the mistake is made",
    `sleep 2; date -u '+%F %T.%N+00' > /root/moment; sleep 2; ${psql("delete from mail")}; ${psql("select pg_switch_wal()")} >/dev/null; sleep 2; ${psql("select count(*) from mail")}`,
    /^0$/,
  );
  block("point-in-time");
  check(
    "the letters are back",
    `for n in $(seq 30); do runuser -u postgres -- psql -Atq -p 5433 -d cercle -c 'select not pg_is_in_recovery()' 2>/dev/null | grep -q t && break; sleep 1; done; ${psql("select count(*) > 0 from mail", "-p 5433 -d cercle")}`,
    /^t$/,
  );
  check(
    "encrypted to the database, its certificate verified",
    `cd /etc/postgresql/15/main; openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=db -addext subjectAltName=IP:127.0.0.1 -keyout server.key -out server.crt 2>/dev/null; chown postgres server.key; printf "ssl = on\nssl_cert_file = '$PWD/server.crt'\nssl_key_file = '$PWD/server.key'\n" > conf.d/tls.conf; systemctl reload postgresql@15-main; cp server.crt /etc/cercle/ca.pem; chmod 644 /etc/cercle/ca.pem; echo 'postgresql://cercle:app-secret@127.0.0.1/cercle?sslmode=verify-full&sslrootcert=/etc/cercle/ca.pem' > /etc/cercle/database-url; systemctl restart cercle; ${ready} >/dev/null; ${psql("select bool_and(ssl) from pg_stat_ssl join pg_stat_activity using (pid) where usename = 'cercle'")}`,
    /^t$/,
  );
  block("pgbouncer");
  check("through pgbouncer", `${ready} >/dev/null; ${register("quatre")}`, /^200$/);
  check(
    "a pooler by transaction is refused in one line",
    `sed -i 's/^pool_mode.*/pool_mode = transaction/' /etc/pgbouncer/pgbouncer.ini; systemctl restart pgbouncer; systemctl restart cercle; for n in $(seq 60); do journalctl -u cercle -o cat --since -60s | grep -m1 'pool_mode' && break; sleep 1; done; sed -i 's/^pool_mode.*/pool_mode = session/' /etc/pgbouncer/pgbouncer.ini; systemctl restart pgbouncer; ${ready}`,
    /pool_mode = session[\s\S]*ok$/,
  );
  block("rotate-password");
  check("with the new password", `${ready} >/dev/null; ${register("cinq")}`, /^200$/);
  block("rotate-owner");

  const staffIn = "cercle staff pin owner@account.example > /dev/null";
  check(
    "secrets are sealed before the keys change",
    `cercle webhook add https://partner.example/ owner@partner.example | tail -1; ${staffIn}; ${psql("select count(*) from webhook_endpoint")}`,
    /^whsec_[\s\S]*\n1$/,
  );
  block("rotate-keys");
  check("the secret opens with the new key alone", `sleep 12; cercle reseal; ${ready} >/dev/null`, /^1 secrets? /);
  check(
    "another key opens nothing",
    "cd /etc/cercle; cp -p webhook-key keep; openssl rand -base64 32 > webhook-key; (cercle reseal 2>&1 && echo opened || true) | tail -1; cp -p keep webhook-key; rm keep",
    /^(?!.*opened)/,
  );

  const postgres = "/etc/postgresql/15/main";
  const letters = "cat /root/letters";
  check(
    "letters leave by TLS, with a password",
    `echo mail-secret > /root/mail-password; (setsid node /root/mail-server.mjs ${postgres}/server.key ${postgres}/server.crt /root/mail-password /root/letters > /root/mail.log 2>&1 &); echo 'smtps://club:mail-secret@127.0.0.1:465' > /etc/cercle/smtp-url; chown root:cercle /etc/cercle/smtp-url; chmod 640 /etc/cercle/smtp-url; sed -i 's|^SMTP_URL=.*|SMTP_URL_FILE=/etc/cercle/smtp-url\\nNODE_EXTRA_CA_CERTS=/etc/cercle/ca.pem|' /etc/cercle.env; systemctl restart cercle; ${ready} >/dev/null; ${register("six")} >/dev/null; for n in $(seq 30); do [ "$(${letters})" -gt 0 ] && break; sleep 1; done; ${letters}`,
    /^[1-9]/,
  );
  check(
    "the mail server has another password: a letter waits",
    `echo mail-secret-2 > /root/mail-password; ${letters} > /root/before; ${register("sept")} >/dev/null; sleep 5; [ "$(${letters})" = "$(cat /root/before)" ] && echo waits`,
    /^waits$/,
  );
  block("rotate-mail");
  check(
    "and leaves with the new one",
    `for n in $(seq 90); do [ "$(${letters})" -gt "$(cat /root/before)" ] && break; sleep 1; done; [ "$(${letters})" -gt "$(cat /root/before)" ] && echo left`,
    /^left$/,
  );
  block("rotate-kept");
  check("the product made new keys", `${ready} >/dev/null; ${register("huit")}`, /^200$/);
  check(
    "a shop key, a till, a webhook secret and a PIN are changed",
    `shop=$(cercle shop add Essai Lyon | tail -1); key=$(cercle shop key $shop essai | tail -1); next=$(cercle shop rotate $key | tail -1); for one in $key $next; do curl -s -o /dev/null -w '%{http_code} ' -H "Authorization: Bearer $one" -d CardNumber=1 http://127.0.0.1:3000/api/shop/identify; done; cercle shop revoke $key > /dev/null; curl -s -o /dev/null -w '%{http_code} ' -H "Authorization: Bearer $key" -d CardNumber=1 http://127.0.0.1:3000/api/shop/identify; cercle till pair $shop | tail -1 | wc -c; cercle webhook rotate 1 | tail -1; cercle staff pin owner@account.example | tail -1`,
    /^(?!401)\d{3} (?!401)\d{3} 401 \d+\nwhsec_\S+\n\d{4,8}$/,
  );
  check("reload keeps the metrics", "curl -sf http://127.0.0.1:9464/metrics | grep -c '^cercle_'", /^\d\d+$/);
}
