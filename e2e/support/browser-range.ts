import { readFileSync } from "node:fs";
import compatData from "@mdn/browser-compat-data" with { type: "json" };
import type { Identifier, SimpleSupportStatement } from "@mdn/browser-compat-data";
import postcss from "postcss";
import { parseSync } from "vite";

/** A feature that a browser of the stated range lacks. */
export interface MissingFeature {
  /** Its name in the compatibility data, such as `api.Element.checkVisibility`. */
  feature: string;
  file: string;
  /** In script: used where nothing asks first whether it is there. In style sheets a browser skips what it does not know. */
  unguarded: boolean;
}

const dataNames: Record<string, string[]> = { ios_saf: ["safari_ios"] };
const range = (JSON.parse(readFileSync("package.json", "utf8")).browserslist as string[]).flatMap((line) => {
  const [name = "", version = ""] = line.split(" >= ");
  return (dataNames[name] ?? [name]).map((browser) => ({ browser, version }));
});

const compareVersions = new Intl.Collator("en", { numeric: true }).compare;

/** Partly there counts as there. */
function isIn({ version_added, version_removed, flags, alternative_name }: SimpleSupportStatement, version: string) {
  if (flags || alternative_name || typeof version_added !== "string" || !/\d/.test(version_added)) return false;
  if (typeof version_removed === "string" && compareVersions(version_removed, version) <= 0) return false;
  return compareVersions(version_added.replace("≤", ""), version) <= 0;
}

/** Whether every browser of the range has it, by its own name or with a prefix that stands beside it. */
const isSupported = (identifier: Identifier, isPrefixed = (_prefix: string) => false) =>
  range.every(({ browser, version }) => {
    const support = identifier.__compat?.support[browser as "chrome"];
    if (support === undefined) return true;
    return [support].flat().some((one) => (!one.prefix || isPrefixed(one.prefix)) && isIn(one, version));
  });

const entriesOf = (identifier: Identifier | undefined): [string, Identifier][] =>
  Object.entries(identifier ?? {}).filter(([name]) => name !== "__compat") as [string, Identifier][];

/** The data files these under names of their own. */
const globalsOf: [string, Identifier | undefined][] = [
  ["api.Window", compatData.api["Window"]],
  ["api", compatData.api],
  ["javascript.builtins", compatData.javascript["builtins"]],
];

/** Objects that script finds ready-made. */
const interfaceOf: Record<string, string> = {
  ...{ window: "Window", self: "Window", globalThis: "Window", document: "Document", navigator: "Navigator" },
  ...{ history: "History", performance: "Performance", screen: "Screen", crypto: "Crypto", caches: "CacheStorage" },
};

/**
 * Members by name, since built script has no types. A name that any interface has in every browser of the range says nothing,
 * and neither does one plain word, which is anybody's: these are judged on globals and ready-made objects alone.
 */
const missingMembers = new Map<string, string | undefined>();
for (const [root, interfaces] of [
  ["api", compatData.api],
  ["javascript.builtins", compatData.javascript["builtins"]],
] as const)
  for (const [owner, members] of entriesOf(interfaces))
    for (const [key, member] of entriesOf(members)) {
      const name = key.replace(/_static$/, "");
      if (!member.__compat || !/^[a-z]+[A-Z]/.test(name)) continue;
      const { experimental, deprecated } = member.__compat.status ?? {};
      if (isSupported(member)) missingMembers.set(name, undefined);
      else if (experimental || deprecated) continue;
      else if (!missingMembers.has(name)) missingMembers.set(name, `${root}.${owner}.${key}`);
    }

/** HTML attributes, by the name React gives them in lower case. */
const missingAttributes = new Map<string, string | undefined>();
for (const [root, elements] of [
  ["html", { global_attributes: compatData.html["global_attributes"] as Identifier }],
  ["html.elements", compatData.html["elements"]],
] as const)
  for (const [element, attributes] of entriesOf(elements))
    for (const [name, attribute] of entriesOf(attributes)) {
      if (!attribute.__compat || name.includes("_")) continue;
      if (isSupported(attribute)) missingAttributes.set(name, undefined);
      else if (!missingAttributes.has(name)) missingAttributes.set(name, `${root}.${element}.${name}`);
    }

const globalOf = (name: string) => {
  for (const [root, holder] of globalsOf) {
    const found = holder?.[name];
    if (found?.__compat) return { feature: `${root}.${name}`, identifier: found };
  }
  return undefined;
};

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;
function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  for (const key in node) {
    const value = node[key];
    if (Array.isArray(value)) for (const one of value) isNode(one) && children.push(one);
    else if (isNode(value)) children.push(value);
  }
  return children;
}
const nameOf = (node: unknown): string | undefined => (isNode(node) ? (node["name"] as string | undefined) : undefined);

/** What built script uses. */
export function missingInScript(file: string, code: string): MissingFeature[] {
  const found: MissingFeature[] = [];
  const program = parseSync(file, code).program as unknown as Node;
  const declared = new Set<string>();
  const mentions = (node: unknown, name: string) =>
    isNode(node) && new RegExp(`\\b${name}\\b`).test(code.slice(node.start, node.end));

  /** An enclosing condition, or a return before, asks for it. */
  function isGuarded(name: string, node: Node, ancestors: Node[]): boolean {
    let inner = node;
    for (const outer of ancestors.toReversed()) {
      const { type } = outer;
      if (type === "UnaryExpression" && outer["operator"] === "typeof") return true;
      if (/^(If|Conditional)/.test(type) && outer["test"] !== inner && mentions(outer["test"], name)) return true;
      if (type === "LogicalExpression" && outer["right"] === inner && mentions(outer["left"], name)) return true;
      if (type === "BlockStatement" || type === "FunctionBody") {
        const statements = outer["body"] as Node[];
        const before = statements.slice(0, statements.indexOf(inner));
        if (before.some((one) => one.type === "IfStatement" && mentions(one["test"], name))) return true;
      }
      inner = outer;
    }
    return false;
  }

  /** Whether a missing value would throw here: it is called, constructed or has its own member read. */
  function isNeeded(node: Node, parent: Node | undefined): boolean {
    if (!parent) return false;
    if (parent.type === "CallExpression") return parent["callee"] === node && !parent["optional"];
    if (parent.type === "NewExpression") return parent["callee"] === node;
    return parent.type === "MemberExpression" && parent["object"] === node && !parent["optional"];
  }

  function declare(node: Node, parent?: Node): void {
    if (node.type === "Identifier" && parent && /Declarator|Function|Class|Import|Pattern|Catch/.test(parent.type))
      if (parent["init"] !== node && parent["superClass"] !== node && parent["right"] !== node)
        declared.add(node["name"] as string);
    for (const child of childrenOf(node)) declare(child, node);
  }

  function visit(node: Node, ancestors: Node[]): void {
    const parent = ancestors.at(-1);
    if (node.type === "MemberExpression" && !node["computed"]) {
      const name = nameOf(node["property"]) ?? "";
      const owner = nameOf(node["object"]) ?? "";
      const ownName = declared.has(owner) ? undefined : globalOf(interfaceOf[owner] ?? owner);
      const own = ownName?.identifier[name] ?? ownName?.identifier[`${name}_static`];
      const global = interfaceOf[owner] === "Window" && !own ? globalOf(name) : undefined;
      const known = own ? { feature: `${ownName?.feature}.${name}`, identifier: own } : global;
      const feature = known ? !isSupported(known.identifier) && known.feature : missingMembers.get(name);
      if (feature)
        found.push({ feature, file, unguarded: isNeeded(node, parent) && !isGuarded(name, node, ancestors) });
    }
    const isReference =
      parent &&
      !(parent.type === "MemberExpression" && parent["property"] === node && !parent["computed"]) &&
      !(/Property|MethodDefinition|Labeled|Break|Continue|MetaProperty/.test(parent.type) && parent["value"] !== node);
    if (node.type === "Identifier" && isReference) {
      const name = node["name"] as string;
      const named = declared.has(name) ? undefined : globalOf(name);
      if (named && !isSupported(named.identifier))
        found.push({ feature: named.feature, file, unguarded: !isGuarded(name, node, ancestors) });
    }
    if (node.type === "Property" && parent?.type === "ObjectExpression") {
      const feature = missingAttributes.get((nameOf(node["key"]) ?? "").toLowerCase());
      if (feature) found.push({ feature, file, unguarded: false });
    }
    ancestors.push(node);
    for (const child of childrenOf(node)) visit(child, ancestors);
    ancestors.pop();
  }

  declare(program);
  visit(program, []);
  return found;
}

/** What a built style sheet uses: at-rules, media features, properties, their keywords, functions, selectors. */
export function missingInStyle(file: string, css: string): MissingFeature[] {
  const found: MissingFeature[] = [];
  const { properties, selectors, types, "at-rules": atRules } = compatData.css as unknown as Record<string, Identifier>;
  const note = (feature: string, identifier: Identifier | undefined, isPrefixed?: (prefix: string) => boolean) => {
    if (identifier?.__compat && !isSupported(identifier, isPrefixed)) found.push({ feature, file, unguarded: false });
  };
  postcss.parse(css).walk((node) => {
    if (node.type === "atrule") {
      note(`css.at-rules.${node.name}`, atRules?.[node.name]);
      for (const [, name = ""] of node.params.matchAll(/\(\s*([\w-]+)/g))
        if (node.name === "media") note(`css.at-rules.media.${name}`, atRules?.["media"]?.[name]);
    }
    if (node.type === "rule")
      for (const [, name = ""] of node.selector.matchAll(/::?([a-z-]+)/g))
        note(`css.selectors.${name}`, selectors?.[name]);
    if (node.type !== "decl") return;
    const property = properties?.[node.prop];
    const isPrefixed = (prefix: string) =>
      Boolean(node.parent?.some((one) => "prop" in one && one.prop === prefix + node.prop));
    note(`css.properties.${node.prop}`, property, isPrefixed);
    if (!property || !isSupported(property)) return;
    for (const [word, name = ""] of node.value.matchAll(/([a-z][\w-]*)\(?/g))
      if (word.endsWith("(")) note(`css.types.${name}`, types?.[name]);
      else note(`css.properties.${node.prop}.${name}`, property[name]);
  });
  return found;
}
