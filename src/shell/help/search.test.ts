import { expect, test } from "vitest";
import { containsWords } from "./search.ts";

test.each([
  ["Comment rendre un article ?", "", true],
  ["Comment rendre un article ?", "ARTICLE rendre", true],
  ["Comment rendre un article ?", "article points", false],
  ["Combien de temps un bon est‑il valable ?", "est-il", true],
  ["Wie ändere ich meine E-Mail-Adresse?", "e mail andere", true],
  ["Carte perdue ou oubliée ?", "J’ai perdu ma carte", true],
  ["L’adresse est prévenue", "l'adresse PREVENUE", true],
])("in %s the search %s finds: %s", (text, search, found) => {
  expect(containsWords(text, search)).toBe(found);
});
