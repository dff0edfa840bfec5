import { expect, test } from "vitest";
import de from "../../../messages/de.json";
import en from "../../../messages/en.json";
import fr from "../../../messages/fr.json";
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

/** What customers type, and the question whose answer they need. */
const typed: [language: "fr" | "en" | "de", question: string, searches: string[]][] = [
  ["fr", "enter", ["mdp", "me connecter", "compte bloqué", "identifiant", "changer mot de passe"]],
  ["fr", "back", ["rembours", "remboursement", "échange", "renvoyer un colis", "trop petit", "annuler une commande"]],
  ["fr", "use", ["code promo", "réduction", "chèque cadeau"]],
  ["fr", "valid", ["bon expiré", "date limite"]],
  ["fr", "rules", ["cumuler des bons"]],
  ["fr", "missing", ["points pas reçus", "points manquants", "facture"]],
  ["fr", "card", ["carte volée", "code-barres", "numéro de carte"]],
  ["fr", "status", ["palier", "perdre mon statut"]],
  ["fr", "birthday", ["cadeau anniversaire"]],
  ["fr", "data", ["supprimer mon compte", "RGPD", "désinscription"]],
  ["fr", "address", ["changer mail"]],
  ["en", "enter", ["pwd", "log in", "reset password", "locked", "username"]],
  ["en", "back", ["refund", "exchange", "wrong size", "send it back", "cancel order"]],
  ["en", "use", ["promo code", "discount", "redeem"]],
  ["en", "valid", ["voucher expired"]],
  ["en", "rules", ["combine vouchers"]],
  ["en", "missing", ["points not showing", "not credited"]],
  ["en", "card", ["lost card", "stolen", "card number"]],
  ["en", "status", ["level", "lose my tier"]],
  ["en", "birthday", ["birthday gift"]],
  ["en", "data", ["delete account", "GDPR", "unsubscribe"]],
  ["en", "address", ["new email"]],
  ["de", "enter", ["Kennwort", "Passwort vergessen", "einloggen", "Zugangsdaten", "PW"]],
  ["de", "back", ["Geld zurück", "Umtausch", "Erstattung", "Retoure", "zu klein", "Bestellung stornieren"]],
  ["de", "use", ["Rabatt", "Gutscheincode", "Geschenkkarte"]],
  ["de", "valid", ["Gutschein abgelaufen"]],
  ["de", "rules", ["Gutscheine kombinieren"]],
  ["de", "missing", ["Punkte nicht gutgeschrieben", "Kassenzettel"]],
  ["de", "card", ["Karte verloren", "Kartennummer", "Barcode"]],
  ["de", "status", ["Status verlieren"]],
  ["de", "birthday", ["Geschenk Geburtstag"]],
  ["de", "data", ["Konto löschen", "DSGVO", "kündigen"]],
  ["de", "address", ["neue Mailadresse"]],
];

test.each(typed)("in %s the answer to %s is found by the words that customers type", (language, question, searches) => {
  const texts: Record<string, string> = { fr, en, de }[language];
  const about = ["Question", "Answer", "Words"].map((kind) => texts[`help.${question}${kind}`]).join(" ");
  expect(searches.filter((search) => !containsWords(about, search))).toEqual([]);
});
