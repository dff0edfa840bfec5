// A small till for the sandbox. It uses a key of its own and the same calls as a partner's till would; see
// docs/shop-integration.md.
(() => {
  const byId = (id) => document.getElementById(id);
  const main = document.querySelector("main");
  const texts = JSON.parse(main.dataset.texts);
  const language = document.documentElement.lang;
  const { tag } = main.dataset;
  const numbers = new Intl.NumberFormat(tag);
  // The apostrophe that all numbers have in Switzerland; which one Intl writes depends on its release.
  const written = (value) => (typeof value === "number" ? numbers.format(value).replaceAll("'", "\u2019") : value);
  const text = (name, values = {}) =>
    Object.entries(values).reduce((all, [key, value]) => all.replaceAll(`{${key}}`, written(value)), texts[name]);
  const money = (amount) =>
    new Intl.NumberFormat(tag, { style: "currency", currency: main.dataset.currency }).format(amount);

  const dayFormat = new Intl.DateTimeFormat(tag, { day: "numeric", month: "long", timeZone: main.dataset.timeZone });
  const day = (moment) => {
    const words = dayFormat.format(new Date(moment));
    return language === "fr" ? words.replace(/^1 /, "1er ") : words;
  };

  /** What survives a reload: sales and returns that wait for the network, and the receipts shown. */
  const stored = (name) => JSON.parse(localStorage.getItem(`sandbox-shop-${name}`) ?? "[]");
  const store = (name, value) => localStorage.setItem(`sandbox-shop-${name}`, JSON.stringify(value));
  let queue = stored("queue");
  let receipts = stored("receipts");

  let key;
  async function call(path, fields) {
    key ??= await (await fetch("/sandbox/shop/key")).text();
    const body = new FormData();
    for (const [name, value] of Object.entries(fields))
      if (value !== undefined && value !== "")
        body.append(name, typeof value === "string" ? value : JSON.stringify(value));
    const response = await fetch(`/api/shop/${path}`, {
      method: "POST",
      body,
      headers: { authorization: `Bearer ${key}`, "accept-language": language },
    });
    const answer = await response.json();
    if (response.status !== 200) throw Object.assign(new Error(answer.detail), { problem: answer });
    return answer;
  }

  const isOffline = () => byId("offline").checked;
  const now = () => new Date().toISOString();
  // A number per till and moment: unique in the shop, for good.
  const newNumber = () => `SB-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 6)}`.toUpperCase();
  let number = newNumber();
  let basket = [];
  let chosen = [];

  function say(id, words = "") {
    byId(id).textContent = words;
  }
  const attempt = (work) => async () => {
    say("problem");
    try {
      await work();
    } catch (error) {
      say("problem", error.message);
    }
  };

  function element(tag, className, words) {
    const made = document.createElement(tag);
    if (className) made.className = className;
    if (words) made.textContent = words;
    return made;
  }
  function button(words, of, press) {
    const made = element("button", "link", words);
    made.type = "button";
    made.append(element("span", "unseen", ` ${of}`));
    made.addEventListener("click", attempt(press));
    return made;
  }

  const linesOf = () => basket.map(({ price, earns }, n) => ({ Line: String(n + 1), Amount: price, Earns: earns }));
  const customer = () => byId("card").value.trim();

  async function showBasket() {
    byId("lines").replaceChildren(
      ...(basket.length > 0
        ? basket.map(({ name, price }, n) => {
            const row = element("li");
            row.append(element("span", "", name), element("span", "", money(price)));
            row.append(
              button(texts.remove, name, async () => {
                basket.splice(n, 1);
                await showBasket();
              }),
            );
            return row;
          })
        : [element("li", "quiet", texts.empty)]),
    );
    byId("pay").disabled = basket.length === 0;
    say("total");
    if (basket.length === 0 || isOffline()) return;
    const quote = await call("quote", {
      ReceiptNumber: number,
      CardNumber: customer(),
      Lines: linesOf(),
      VoucherCodes: chosen.join(","),
    });
    const amount = quote.Lines.reduce((sum, { Paid }) => sum + Number(Paid), 0);
    say("total", describeQuote(quote, money(amount)));
  }

  function describeQuote({ Points, Waiting, WaitingPoints }, amount) {
    if (Waiting) return text("earns_waiting", { amount, points: WaitingPoints });
    if (!Points.ArrivesAt) return text("earns", { amount, points: Points.Earned });
    return text("earns_later", { amount, points: Points.Earned, date: day(Points.ArrivesAt) });
  }

  /** Follows a balance, when points are pending beside it. */
  const pendingOf = ({ Pending }) => (Pending ? text("pending", { pending: Pending }) : "");

  async function showCustomer() {
    chosen = [];
    byId("vouchers").hidden = true;
    say("who");
    if (customer() && !isOffline()) {
      const found = await call("identify", { CardNumber: customer(), EntryMode: "typed" }).catch((error) => {
        if (error.problem?.status === 404) return undefined;
        throw error;
      });
      const [person] = found?.Customers ?? [];
      say(
        "who",
        person
          ? text("who", { name: person.Name, tier: person.Tier.Name, points: person.Points }) + pendingOf(person)
          : texts.nobody,
      );
      showVouchers(person?.Vouchers ?? []);
    }
    await showBasket();
  }

  /** A ticked voucher is held for this receipt, so that no other till takes it meanwhile. */
  function showVouchers(vouchers) {
    const field = byId("vouchers");
    for (const old of field.querySelectorAll("label")) old.remove();
    field.hidden = vouchers.length === 0;
    for (const { Code, VoucherToken, Value } of vouchers) {
      const label = element("label", "ticked");
      const tick = element("input");
      tick.type = "checkbox";
      tick.addEventListener(
        "change",
        attempt(async () => {
          const call_ = tick.checked ? "voucher/hold" : "voucher/release";
          await call(call_, { VoucherCodes: VoucherToken, ReceiptNumber: number }).catch((error) => {
            tick.checked = false;
            throw error;
          });
          chosen = tick.checked ? [...chosen, VoucherToken] : chosen.filter((one) => one !== VoucherToken);
          await showBasket();
        }),
      );
      label.append(tick, ` ${text("voucher", { amount: money(Value), code: Code })}`);
      field.append(label);
    }
  }

  async function pay() {
    const sale = { ReceiptNumber: number, SoldAt: now(), CardNumber: customer() || undefined, Lines: linesOf() };
    const receipt = { number, lines: basket, notes: [] };
    if (isOffline()) {
      enqueue({ Kind: "purchase", ...sale });
      receipt.notes.push(texts.later);
    } else {
      const answer = await call("purchase", { ...sale, SentAt: now(), VoucherCodes: chosen.join(",") });
      // Without a member there are no points to tell of, but a code that brings them.
      if (!answer.ClaimCode) receipt.notes.push(...notesOf(answer));
      receipt.claim = answer.ClaimCode;
    }
    receipts = [receipt, ...receipts].slice(0, 20);
    number = newNumber();
    basket = [];
    chosen = [];
    showReceipts();
    await showCustomer();
  }

  function notesOf({ Points, ReissuedVouchers = [], CancelledVouchers = [], Refunds, Waiting, WaitingPoints }) {
    const available = Points.Available;
    const notes = [];
    if (Refunds) {
      const amount = money(Refunds.reduce((sum, { Amount }) => sum + Number(Amount), 0));
      notes.push(text("taken", { amount, points: Points.Taken, available }) + pendingOf(Points));
    } else if (Waiting) notes.push(text("waiting", { points: WaitingPoints }));
    else if (Points.ArrivesAt) {
      const earned = { points: Points.Earned, date: day(Points.ArrivesAt), available };
      notes.push(text("earned_later", earned) + pendingOf(Points));
    } else notes.push(text("earned", { points: Points.Earned, available }) + pendingOf(Points));
    for (const { Value } of CancelledVouchers) notes.push(text("cancelled", { amount: money(Value) }));
    for (const { Value } of ReissuedVouchers) notes.push(text("reissued", { amount: money(Value) }));
    return notes;
  }

  function enqueue(item) {
    queue = [...queue, item];
    store("queue", queue);
    showQueue();
  }
  function showQueue() {
    say("queued", queue.length > 0 ? text("queued", { count: queue.length }) : "");
  }

  /** Sends what waited, in its order. Sent twice, each counts once: its receipt number is its key. */
  async function sendQueue() {
    while (queue.length > 0) {
      const { Outcomes } = await call("purchase/batch", { Items: queue.slice(0, 100), SentAt: now() });
      for (const { ReceiptNumber, Answer, Problem } of Outcomes) {
        const item = queue.find((one) => one.ReceiptNumber === ReceiptNumber);
        const receipt = receipts.find((one) => one.number === (item?.OriginalReceiptNumber ?? ReceiptNumber));
        if (!receipt) continue;
        receipt.notes = receipt.notes.filter((note) => note !== texts.later);
        receipt.notes.push(...(Answer ? notesOf(Answer) : [Problem.detail]));
        receipt.claim ??= Answer?.ClaimCode;
      }
      queue = queue.slice(Outcomes.length);
      store("queue", queue);
    }
    showQueue();
    showReceipts();
  }

  async function giveBack(receipt, lines) {
    const back = { ReceiptNumber: newNumber(), OriginalReceiptNumber: receipt.number };
    if (lines) back.Lines = lines.map((Line) => ({ Line }));
    if (isOffline()) {
      enqueue({ Kind: "return", SoldAt: now(), ...back });
      receipt.notes.push(texts.later);
    } else receipt.notes.push(...notesOf(await call("return", back)));
    receipt.returned = lines ? [...(receipt.returned ?? []), ...lines] : receipt.lines.map((_, n) => String(n + 1));
    showReceipts();
    await showCustomer();
  }

  function showReceipts() {
    store("receipts", receipts);
    byId("receipts").replaceChildren(
      ...receipts.map((receipt) => {
        const item = element("li", "receipt");
        item.append(element("h3", "", text("receipt", { number: receipt.number })));
        const lines = element("ol", "goods");
        const left = receipt.lines.filter((_, n) => !receipt.returned?.includes(String(n + 1)));
        for (const [n, { name, price }] of receipt.lines.entries()) {
          const row = element("li");
          row.append(element("span", "", name), element("span", "", money(price)));
          if (left.includes(receipt.lines[n]))
            row.append(button(texts.back, name, () => giveBack(receipt, [String(n + 1)])));
          lines.append(row);
        }
        item.append(lines);
        for (const note of receipt.notes) item.append(element("p", "", note));
        if (left.length > 1) item.append(button(texts.everything, receipt.number, () => giveBack(receipt)));
        if (receipt.claim) {
          const qr = element("img", "receipt-qr");
          qr.src = `/sandbox/shop/qr/${receipt.claim}`;
          qr.alt = "";
          item.append(qr, element("p", "quiet", text("claim", { code: receipt.claim })));
        }
        return item;
      }),
    );
  }

  for (const add of document.querySelectorAll("[data-add]"))
    add.addEventListener(
      "click",
      attempt(async () => {
        basket.push({ name: add.dataset.add, price: add.dataset.price, earns: add.dataset.earns === "true" });
        await showBasket();
      }),
    );
  byId("card").addEventListener("change", attempt(showCustomer));
  byId("offline").addEventListener(
    "change",
    attempt(async () => {
      if (!isOffline()) await sendQueue();
      await showCustomer();
    }),
  );
  byId("pay").addEventListener("click", attempt(pay));
  showQueue();
  showReceipts();
  attempt(showCustomer)();
})();
