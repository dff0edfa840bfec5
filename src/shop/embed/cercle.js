// Elements for the pages of any site: docs/elements.md. One file, no dependencies.
(() => {
  const { src, dataset } = document.currentScript;
  const { origin } = new URL(src);
  const mostAmounts = 50;

  // Made by the script, so that a Content-Security-Policy with a nonce has nothing against it.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    :host { font: var(--cercle-font, inherit); color: var(--cercle-color, inherit); }
    :host([hidden]) { display: none; }
    span, a, p { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; margin: 0; }
    span { display: block; line-height: var(--cercle-text-height, 1.5em); }
    a { display: flex; align-items: center; justify-content: center; block-size: 100%; box-sizing: border-box;
      padding-inline: 1em; color: var(--cercle-button-color, #fff); background: var(--cercle-button, #1a1a1a);
      border-radius: var(--cercle-radius, 0); text-decoration: none; }
    a:focus-visible { outline: 2px solid; outline-offset: 2px; }
    div { display: flex; flex-direction: column; justify-content: space-between; block-size: 100%; box-sizing: border-box;
      padding: 1.25em; color: var(--cercle-card-color, #fff); background: var(--cercle-card, #1a1a1a);
      border-radius: var(--cercle-radius, 0.75em); }
    svg { max-inline-size: 100%; block-size: 45%; background: #fff; align-self: center; }
    p { font-variant-numeric: tabular-nums; }`);

  const waiting = new Set();

  /** All elements of a page are asked for with one call. */
  function ask(element) {
    if (waiting.size === 0) setTimeout(load);
    waiting.add(element);
  }

  async function load() {
    const elements = [...waiting];
    waiting.clear();
    const amounts = [...new Set(elements.map((one) => one.getAttribute("amount")))].filter(Boolean).sort();
    do {
      const some = amounts.splice(0, mostAmounts);
      const shown = await read(some);
      if (!shown) return;
      for (const one of elements) one.show(shown);
    } while (amounts.length > 0);
  }

  /** Nothing without a network, and after any error: the page goes on without the elements. */
  async function read(amounts) {
    const query = new URLSearchParams({ LanguageIsoCode: dataset.language ?? document.documentElement.lang });
    if (amounts.length > 0) query.set("Amounts", amounts.join());
    const headers = dataset.token ? { authorization: `Bearer ${dataset.token}` } : {};
    const response = await fetch(`${origin}/api/embed?${query}`, { headers }).catch(() => undefined);
    return response?.ok ? response.json() : undefined;
  }

  function make(name, { text = "", ...attributes } = {}, ...children) {
    const made = document.createElement(name);
    for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
    made.append(text, ...children);
    return made;
  }

  /** Bars and gaps in turn, with the quiet zone of eleven modules that a scanner needs. */
  function barcode(widths) {
    let x = 11;
    let bars = "";
    widths.forEach((width, place) => {
      if (place % 2 === 0) bars += `M${x} 0h${width}v1h-${width}z`;
      x += width;
    });
    const namespace = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(namespace, "svg");
    svg.setAttribute("viewBox", `0 0 ${x + 11} 1`);
    // Two whole pixels for each module: with a fraction some bars would be wider than others.
    svg.setAttribute("width", String(2 * (x + 11)));
    svg.setAttribute("preserveAspectRatio", "none");
    svg.setAttribute("aria-hidden", "true");
    const path = document.createElementNS(namespace, "path");
    path.setAttribute("d", bars);
    path.setAttribute("shape-rendering", "crispEdges");
    svg.append(path);
    return svg;
  }

  /** What each element shows, or nothing. */
  const elements = {
    "cercle-earn": ({ Earn }, element) => {
      const found = Earn.find(({ Amount }) => Amount === element.getAttribute("amount"));
      return found && make("span", { part: "text", text: found.Text });
    },
    "cercle-points": ({ Customer }) => Customer && make("span", { part: "text", text: Customer.PointsText }),
    "cercle-join": ({ Customer, Join }) =>
      !Customer && make("a", { part: "button", href: Join.Url, text: Join.Text, title: Join.Text }),
    "cercle-card": ({ Customer }) =>
      Customer &&
      make(
        "div",
        { part: "card", role: "group", "aria-label": Customer.CardLabel },
        make("p", { text: Customer.Name }),
        make("p", { text: `${Customer.Tier} · ${Customer.PointsText}` }),
        barcode(Customer.Bars),
        make("p", { text: Customer.CardNumber }),
      ),
  };

  for (const [name, render] of Object.entries(elements))
    customElements.define(
      name,
      class extends HTMLElement {
        static observedAttributes = ["amount"];

        constructor() {
          super();
          this.attachShadow({ mode: "open" }).adoptedStyleSheets = [sheet];
        }

        connectedCallback() {
          ask(this);
        }

        attributeChangedCallback() {
          if (this.isConnected) ask(this);
        }

        show(shown) {
          // Of many prices each answer has some.
          const made = render(shown, this);
          if (made || !this.hasAttribute("amount")) this.shadowRoot.replaceChildren(...(made ? [made] : []));
        }
      },
    );
})();
