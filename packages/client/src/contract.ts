// Written from the contract of the API: npx vitest run src/app/repository/client-contract.test.ts -u

/** The calls of a shop's key: what each takes, answers and refuses beside what every call may be refused with. */
export interface Calls {
  /** Finds members by one of card, voucher, address, phone, a code of a shape that the till does not know or, with the scope sub, the sub of their sign-in. Scope: identify. */
  "POST shop/identify": {
    input: {
      /** Thirteen digits */
      CardNumber?: string;
      VoucherCode?: string;
      /** A card number, else a voucher's code, else a receipt of this shop; FoundBy says which */
      Code?: string;
      Email?: string;
      MobilePhone?: string;
      /** The sub of a customer who is signed in at a web shop by OpenID Connect; needs the scope sub */
      Sub?: string;
      /** scanned or typed */
      EntryMode?: "scanned" | "typed";
      /** fr, en, de, fr-FR, en-US or de-DE */
      LanguageIsoCode?: string;
    };
    answer: {
      /** What a Code was; it is sent on as CardNumber, in VoucherCodes or as a receipt's number */
      FoundBy?: "card" | "voucher" | "receipt";
      /** At most three, of one phone; none of a receipt */
      Customers: ({
        /** Opaque, 15 minutes, good for this shop */
        CustomerToken: string;
        /** Public id, which events carry too; the sub of a sign-in at a web shop */
        IdCustomer: string;
        /** First name and initial: Camille L. */
        Name: string;
        /** They have confirmed their email address. Confirmed members come first */
        Confirmed: boolean;
        /** When they joined, 2026-03: tells apart those who share a phone */
        JoinedMonth: string;
        /** The last two digits of the card */
        CardEnding: string | null;
        /** The status */
        Tier: {
          /** Stays the same when the name changes */
          IdLoyaltyTier: number;
          /** In the language of the answer */
          Name: string;
          /** Points for each point of the rate: 1.25 */
          Multiplier: number;
        };
        /** What the customer can spend */
        Points: number;
        /** Points of purchases that arrive later; they cannot be spent yet */
        Pending: number;
        /** Those that arrive next; null: none are pending */
        NextPending: {
          /** How many arrive */
          Points: number;
          /** The day they arrive */
          Date: string;
        } | null;
        /** Points taken back that the balance did not have; the next points settle them */
        Debt: number;
        /** How far it is to the next reward, after those that the points cover already */
        NextReward: {
          /** What it costs */
          Points: number;
          /** How many points the customer lacks */
          Missing: number;
          /** What it takes off, in the currency of the club */
          Value: string;
        } | null;
        /** False for an address or a phone */
        BirthdayToday: boolean;
        /** Empty for an address or a phone */
        Vouchers: ({
          /** Its last four characters: ••••••••RNSN */
          Code: string;
          /** Stands for the voucher in VoucherCodes: opaque, 15 minutes, good for this shop */
          VoucherToken: string;
          /** What it takes off, in the currency of the club */
          Value: string;
          /** The end of its last day */
          ExpiresAt: string;
          /** held: a receipt has it for now */
          State: "available" | "held" | "used" | "cancelled" | "expired";
        })[];
      })[];
    };
    refusals: "not_found" | "card_blocked";
  };

  /** What a sale would earn, and what each voucher would take off. Changes nothing; a card is logged as looked up. Scope: identify. */
  "POST shop/quote": {
    input: {
      /** Thirteen digits */
      CardNumber?: string;
      /** From shop/identify */
      CustomerToken?: string;
      /** The sub of a customer who is signed in at a web shop by OpenID Connect; needs the scope sub */
      Sub?: string;
      /** JSON, in a JSON body also as a list: [{ "Line": "1", "Amount": "89.90", "Earns": true }]; 9999999.99 in all at most. A line may have PriceType (full when absent, sale, outlet, service or giftcard) and up to eight Codes (shop/catalogue) */
      Lines?: ({
        Line: string | number;
        Amount: string;
        Earns?: boolean;
        PriceType?: "full" | "sale" | "outlet" | "service" | "giftcard";
        Codes?: (string)[];
      })[];
      /** With VAT: 89.90 */
      Amount?: string;
      /** If vouchers are held for it */
      ReceiptNumber?: string;
      /** If vouchers are held for it */
      Reference?: string;
      /** Codes, or tokens from shop/identify, separated by commas, at most ten */
      VoucherCodes?: string;
      /** Of all amounts: that of the club. A web shop's key made with --api 2 must send it */
      Currency?: string;
      /** fr, en, de, fr-FR, en-US or de-DE */
      LanguageIsoCode?: string;
    };
    answer: {
      Points: {
        /** What the sale would earn; 0 when no member was named */
        Earned: number;
        /** The customer's points now */
        Available: number;
        /** Points of purchases that arrive later; they cannot be spent yet */
        Pending: number;
        /** Those that arrive next; null: none are pending */
        NextPending: {
          /** How many arrive */
          Points: number;
          /** The day they arrive */
          Date: string;
        } | null;
        /** When the points of this sale arrive; null: at once, or none */
        ArrivesAt: string | null;
        /** Points taken back that the balance did not have; the next points settle them */
        Debt: number;
      };
      Vouchers: ({
        /** As sent: the voucher's code, or its token */
        Code: string;
        /** What it is worth, in the currency of the club */
        Value: string;
        /** What it took off; no change is given */
        Taken: string;
        /** Why it cannot be used: a code of a refusal */
        Reason: string | null;
        /** Of basket_too_small: the lines that it may not pay */
        Lines?: ({
          /** The line's number on the receipt, as sent */
          Line: string;
          /** Why it may not pay this line */
          Reason: "no_points" | "gift_card" | "price_type" | "code" | "amount";
        })[];
      })[];
      /** What the vouchers took off together, in the currency of the club */
      VoucherTotal: string;
      /** An Amount is line 1 */
      Lines: ({
        /** The line's number on the receipt, as sent */
        Line: string;
        /** What is paid after vouchers, in the currency of the club */
        Paid: string;
        /** What vouchers took off the line, for its VAT, in the currency of the club */
        VoucherShare: string;
      })[];
      /** The customer's status; null when no member was named */
      Tier: {
        /** Stays the same when the name changes */
        IdLoyaltyTier: number;
        /** In the language of the answer */
        Name: string;
        /** Points for each point of the rate: 1.25 */
        Multiplier: number;
      } | null;
      /** The campaign that counts for this sale */
      Campaign?: {
        /** In the language of the answer */
        Name: string;
        /** Of the points earned, those it added */
        Points: number;
      };
      /** A large sale, or many of a customer in a day: a person who did not ring it up releases the points */
      Waiting?: true;
      /** How many points the review is about */
      WaitingPoints?: number;
      /** Why: over the programme's amount; many sales of one customer in a day; sold by new staff to a new member */
      WaitingReason?: "large_sale" | "many_sales" | "staff";
      /** A customer was named who is no member */
      Customer?: "unknown";
    };
    refusals: "currency_mismatch";
  };

  /** Keeps vouchers for one receipt or one basket, all or none: 15 minutes; from a web shop up to 72 hours. Again: renews, unless their owner has a debt. Scope: sell. */
  "POST shop/voucher/hold": {
    input: {
      /** Codes, or tokens from shop/identify, separated by commas, at most ten */
      VoucherCodes: string;
      /** Or Reference: what they are held for */
      ReceiptNumber?: string;
      /** The shop's own, as the id of a basket that has no receipt number yet */
      Reference?: string;
      /** 15 when absent, and at most; of a web shop's key at most 4320 */
      HoldMinutes?: string | number;
    };
    answer: {
      Holds: ({
        /** As sent: the voucher's code, or its token */
        Code: string;
        /** Until then no other receipt can take it */
        Until: string;
      })[];
    };
    refusals: "voucher_unknown" | "voucher_held" | "voucher_used" | "voucher_expired" | "voucher_cancelled" | "card_blocked" | "email_unconfirmed";
  };

  /** Lets vouchers go that are held for this receipt or basket, and says how many were. Scope: sell. */
  "POST shop/voucher/release": {
    input: {
      /** Codes, or tokens from shop/identify, separated by commas, at most ten */
      VoucherCodes: string;
      /** Or Reference: what they are held for */
      ReceiptNumber?: string;
      /** The shop's own, as the id of a basket that has no receipt number yet */
      Reference?: string;
    };
    answer: {
      /** How many of them were held for it; 0 says that the number is another's */
      Released: number;
    };
    refusals: never;
  };

  /** A sale: credits its points and uses its vouchers, once per shop and receipt number, for good. Scope: sell. */
  "POST shop/purchase": {
    input: {
      /** The shop's own number, unique in it for good */
      ReceiptNumber: string;
      /** When it was sold, by the till's clock */
      SoldAt: string;
      /** Now, by the till's clock: corrects SoldAt */
      SentAt: string;
      /** Thirteen digits */
      CardNumber?: string;
      /** From shop/identify */
      CustomerToken?: string;
      /** The sub of a customer who is signed in at a web shop by OpenID Connect; needs the scope sub */
      Sub?: string;
      /** JSON, in a JSON body also as a list: [{ "Line": "1", "Amount": "89.90", "Earns": true }]; 9999999.99 in all at most. A line may have PriceType (full when absent, sale, outlet, service or giftcard) and up to eight Codes (shop/catalogue) */
      Lines?: ({
        Line: string | number;
        Amount: string;
        Earns?: boolean;
        PriceType?: "full" | "sale" | "outlet" | "service" | "giftcard";
        Codes?: (string)[];
      })[];
      /** With VAT: 89.90 */
      Amount?: string;
      /** Codes, or tokens from shop/identify, separated by commas, at most ten */
      VoucherCodes?: string;
      /** Of an order that is paid: accept records it without a voucher that was used, held, cancelled or expired meanwhile */
      OnVoucherLost?: "refuse" | "accept";
      /** If its vouchers are held for one */
      Reference?: string;
      /** Of a pre-order, by the clock of SentAt: its points are pending, and its age counts, from then */
      DispatchedAt?: string;
      /** Of all amounts: that of the club. A web shop's key made with --api 2 must send it */
      Currency?: string;
      /** JSON: { "OriginalReceiptNumber": "4711", "Lines": [{ "Line": "2" }] } */
      ReturnOf?: {
        OriginalReceiptNumber: string;
        OriginalIdShop?: number;
        /** Of another shop's receipt: the code printed on it */
        OriginalClaimCode?: string;
        /** Of another shop's receipt, with OriginalDay: what was paid on all lines */
        OriginalAmount?: string;
        /** Of another shop's receipt: the day of the sale, in the club's time zone */
        OriginalDay?: string;
        /** Of another shop's receipt, with EntryMode scanned: the card of the customer who bought */
        CardNumber?: string;
        /** How the card was read; a typed one proves nothing */
        EntryMode?: "scanned" | "typed";
        Lines?: ({
          Line: string | number;
          Amount?: string;
        })[];
        Amount?: string;
      };
      /** fr, en, de, fr-FR, en-US or de-DE */
      LanguageIsoCode?: string;
    };
    answer: {
      Points: {
        /** What the sale brings, pending or not; 0 while points need a review or no member was named */
        Earned: number;
        /** What was taken for the returned part of an exchange, pending points included */
        Taken?: number;
        /** The customer's points afterwards; 0 when no member was named */
        Available: number;
        /** Points of purchases that arrive later; they cannot be spent yet */
        Pending: number;
        /** Those that arrive next; null: none are pending */
        NextPending: {
          /** How many arrive */
          Points: number;
          /** The day they arrive */
          Date: string;
        } | null;
        /** When the points of this sale arrive; null: at once, or none */
        ArrivesAt: string | null;
        /** Points taken back that the balance did not have; the next points settle them */
        Debt: number;
      };
      Vouchers: ({
        /** What the voucher's barcode says */
        Code: string;
        /** What it is worth, in the currency of the club */
        Value: string;
        /** What it took off; no change is given */
        Taken: string;
      })[];
      /** What the vouchers took off together, in the currency of the club */
      VoucherTotal: string;
      /** With OnVoucherLost accept: vouchers that were lost before the sale arrived */
      LostVouchers?: ({
        /** Its last four characters */
        Code: string;
        /** What it is worth, in the currency of the club */
        Value: string;
        /** What it took off the price that the customer paid; the club does not bear it, in the currency of the club */
        Taken: string;
        /** Why it could not be used any more: a code of a refusal */
        Reason: string;
      })[];
      /** An Amount is line 1 */
      Lines: ({
        /** The line's number on the receipt, as sent */
        Line: string;
        /** What is paid after vouchers, in the currency of the club */
        Paid: string;
        /** What vouchers took off the line, for its VAT, in the currency of the club */
        VoucherShare: string;
      })[];
      /** The customer's status; null when no member was named */
      Tier: {
        /** Stays the same when the name changes */
        IdLoyaltyTier: number;
        /** In the language of the answer */
        Name: string;
        /** Points for each point of the rate: 1.25 */
        Multiplier: number;
      } | null;
      /** The campaign that counts for this sale */
      Campaign?: {
        /** In the language of the answer */
        Name: string;
        /** Of the points earned, those it added */
        Points: number;
      };
      /** Of an exchange, by line */
      Refunds?: ({
        /** The line's number on the receipt, as sent */
        Line: string;
        /** Money to give back, in the currency of the club */
        Amount: string;
      })[];
      /** New vouchers for used ones, when everything that those paid was given back; the customer has the codes */
      ReissuedVouchers?: ({
        /** What it takes off, in the currency of the club */
        Value: string;
        /** The end of its last day */
        ExpiresAt: string;
      })[];
      /** Unused vouchers that were cancelled because their points were needed; the customer gets an email */
      CancelledVouchers?: ({
        /** What it was worth, in the currency of the club */
        Value: string;
      })[];
      /** A large sale, or many of a customer in a day: a person who did not ring it up releases the points. Of an exchange: the sale that is given back has not arrived yet */
      Waiting?: true;
      /** How many points the review is about */
      WaitingPoints?: number;
      /** Why: over the programme's amount; many sales of one customer in a day; sold by new staff to a new member */
      WaitingReason?: "large_sale" | "many_sales" | "staff";
      /** For the receipt, when no member was named */
      ClaimCode?: string;
      /** For the QR code on the receipt */
      ClaimUrl?: string;
      /** A customer was named who is no member */
      Customer?: "unknown";
    };
    refusals: "receipt_not_found" | "voucher_unknown" | "voucher_of_another" | "voucher_held" | "voucher_used" | "voucher_expired" | "voucher_cancelled" | "currency_mismatch" | "card_blocked" | "email_unconfirmed" | "basket_too_small" | "receipt_known" | "more_than_bought" | "too_old";
  };

  /** Up to 100 sales and returns in their order, each in a transaction of its own. */
  "POST shop/purchase/batch": {
    input: {
      /** JSON: [{ "Kind": "purchase", "ReceiptNumber": "4711", … }, { "Kind": "return", … }] */
      Items: string;
      /** Now, by the till's clock: corrects SoldAt */
      SentAt: string;
      /** fr, en, de, fr-FR, en-US or de-DE */
      LanguageIsoCode?: string;
    };
    answer: {
      /** One for each item, in their order */
      Outcomes: ({
        /** Of the item; empty when it has none */
        ReceiptNumber: string;
        /** As of a call of its own: 200, or that of the refusal */
        Status: number;
        /** With Status 200: as shop/purchase or shop/return answers */
        Answer?: {
          Points: {
            /** What the sale brings, pending or not; 0 while points need a review or no member was named */
            Earned: number;
            /** What was taken for the returned part of an exchange, pending points included */
            Taken?: number;
            /** The customer's points afterwards; 0 when no member was named */
            Available: number;
            /** Points of purchases that arrive later; they cannot be spent yet */
            Pending: number;
            /** Those that arrive next; null: none are pending */
            NextPending: {
              /** How many arrive */
              Points: number;
              /** The day they arrive */
              Date: string;
            } | null;
            /** When the points of this sale arrive; null: at once, or none */
            ArrivesAt: string | null;
            /** Points taken back that the balance did not have; the next points settle them */
            Debt: number;
          };
          Vouchers: ({
            /** What the voucher's barcode says */
            Code: string;
            /** What it is worth, in the currency of the club */
            Value: string;
            /** What it took off; no change is given */
            Taken: string;
          })[];
          /** What the vouchers took off together, in the currency of the club */
          VoucherTotal: string;
          /** With OnVoucherLost accept: vouchers that were lost before the sale arrived */
          LostVouchers?: ({
            /** Its last four characters */
            Code: string;
            /** What it is worth, in the currency of the club */
            Value: string;
            /** What it took off the price that the customer paid; the club does not bear it, in the currency of the club */
            Taken: string;
            /** Why it could not be used any more: a code of a refusal */
            Reason: string;
          })[];
          /** An Amount is line 1 */
          Lines: ({
            /** The line's number on the receipt, as sent */
            Line: string;
            /** What is paid after vouchers, in the currency of the club */
            Paid: string;
            /** What vouchers took off the line, for its VAT, in the currency of the club */
            VoucherShare: string;
          })[];
          /** The customer's status; null when no member was named */
          Tier: {
            /** Stays the same when the name changes */
            IdLoyaltyTier: number;
            /** In the language of the answer */
            Name: string;
            /** Points for each point of the rate: 1.25 */
            Multiplier: number;
          } | null;
          /** The campaign that counts for this sale */
          Campaign?: {
            /** In the language of the answer */
            Name: string;
            /** Of the points earned, those it added */
            Points: number;
          };
          /** Of an exchange, by line */
          Refunds?: ({
            /** The line's number on the receipt, as sent */
            Line: string;
            /** Money to give back, in the currency of the club */
            Amount: string;
          })[];
          /** New vouchers for used ones, when everything that those paid was given back; the customer has the codes */
          ReissuedVouchers?: ({
            /** What it takes off, in the currency of the club */
            Value: string;
            /** The end of its last day */
            ExpiresAt: string;
          })[];
          /** Unused vouchers that were cancelled because their points were needed; the customer gets an email */
          CancelledVouchers?: ({
            /** What it was worth, in the currency of the club */
            Value: string;
          })[];
          /** A large sale, or many of a customer in a day: a person who did not ring it up releases the points. Of an exchange: the sale that is given back has not arrived yet */
          Waiting?: true;
          /** How many points the review is about */
          WaitingPoints?: number;
          /** Why: over the programme's amount; many sales of one customer in a day; sold by new staff to a new member */
          WaitingReason?: "large_sale" | "many_sales" | "staff";
          /** For the receipt, when no member was named */
          ClaimCode?: string;
          /** For the QR code on the receipt */
          ClaimUrl?: string;
          /** A customer was named who is no member */
          Customer?: "unknown";
        } | {
          Points: {
            /** What was taken, pending points included */
            Taken: number;
            /** The customer's points afterwards; 0 when no member was named */
            Available: number;
            /** Points of purchases that arrive later; they cannot be spent yet */
            Pending: number;
            /** Those that arrive next; null: none are pending */
            NextPending: {
              /** How many arrive */
              Points: number;
              /** The day they arrive */
              Date: string;
            } | null;
            /** Points taken back that the balance did not have; the next points settle them */
            Debt: number;
          };
          /** By line */
          Refunds: ({
            /** The line's number on the receipt, as sent */
            Line: string;
            /** Money to give back, in the currency of the club */
            Amount: string;
          })[];
          /** New vouchers for used ones, when everything that those paid was given back; the customer has the codes */
          ReissuedVouchers: ({
            /** What it takes off, in the currency of the club */
            Value: string;
            /** The end of its last day */
            ExpiresAt: string;
          })[];
          /** Unused vouchers that were cancelled because their points were needed; the customer gets an email */
          CancelledVouchers: ({
            /** What it was worth, in the currency of the club */
            Value: string;
          })[];
          /** Its sale has not arrived yet; nothing was taken back */
          Waiting?: true;
        };
        /** Otherwise: as a refused call of its own answers */
        Problem?: Problem;
      })[];
    };
    refusals: never;
  };

  /** Goods given back: takes back the points, once per shop and receipt number. Waits for a sale still on its way. Scope: return. */
  "POST shop/return": {
    input: {
      /** The shop's own number, unique in it for good */
      ReceiptNumber: string;
      /** The shop's own number, unique in it for good */
      OriginalReceiptNumber: string;
      /** If it was sold in another shop: then with proof */
      OriginalIdShop?: string | number;
      /** Of another shop's receipt: the code printed on it */
      OriginalClaimCode?: string;
      /** Of another shop's receipt, with OriginalDay: what was paid on all lines */
      OriginalAmount?: string;
      /** Of another shop's receipt: the day of the sale, in the club's time zone */
      OriginalDay?: string;
      /** Of another shop's receipt, with EntryMode scanned: the card of the customer who bought */
      CardNumber?: string;
      /** How the card was read; a typed one proves nothing */
      EntryMode?: "scanned" | "typed";
      /** JSON: [{ "Line": "1", "Amount": "89.90" }] */
      Lines?: ({
        Line: string | number;
        Amount?: string;
      })[];
      /** Money given back; absent, all that is left */
      Amount?: string;
      /** With Amount, of a sale with lines: lays it on all lines, in proportion to what is left of each */
      Spread?: boolean;
      /** Of a web shop's key made with --api 2: a return whose sale has not arrived waits, and is not refused */
      MayArriveEarly?: boolean;
      /** Of all amounts: that of the club. A web shop's key made with --api 2 must send it */
      Currency?: string;
      /** When it was sold, by the till's clock */
      SoldAt?: string;
      /** Now, by the till's clock: corrects SoldAt */
      SentAt?: string;
      /** fr, en, de, fr-FR, en-US or de-DE */
      LanguageIsoCode?: string;
    };
    answer: {
      Points: {
        /** What was taken, pending points included */
        Taken: number;
        /** The customer's points afterwards; 0 when no member was named */
        Available: number;
        /** Points of purchases that arrive later; they cannot be spent yet */
        Pending: number;
        /** Those that arrive next; null: none are pending */
        NextPending: {
          /** How many arrive */
          Points: number;
          /** The day they arrive */
          Date: string;
        } | null;
        /** Points taken back that the balance did not have; the next points settle them */
        Debt: number;
      };
      /** By line */
      Refunds: ({
        /** The line's number on the receipt, as sent */
        Line: string;
        /** Money to give back, in the currency of the club */
        Amount: string;
      })[];
      /** New vouchers for used ones, when everything that those paid was given back; the customer has the codes */
      ReissuedVouchers: ({
        /** What it takes off, in the currency of the club */
        Value: string;
        /** The end of its last day */
        ExpiresAt: string;
      })[];
      /** Unused vouchers that were cancelled because their points were needed; the customer gets an email */
      CancelledVouchers: ({
        /** What it was worth, in the currency of the club */
        Value: string;
      })[];
      /** Its sale has not arrived yet; nothing was taken back */
      Waiting?: true;
    };
    refusals: "receipt_not_found" | "receipt_known" | "more_than_bought" | "too_old" | "currency_mismatch";
  };

  /** Cancels a sale of the same day as a whole. Counts as a return; no item of a batch. Scope: return. */
  "POST shop/void": {
    input: {
      /** The shop's own number, unique in it for good */
      ReceiptNumber: string;
      /** fr, en, de, fr-FR, en-US or de-DE */
      LanguageIsoCode?: string;
    };
    answer: {
      Points: {
        /** What was taken, pending points included */
        Taken: number;
        /** The customer's points afterwards; 0 when no member was named */
        Available: number;
        /** Points of purchases that arrive later; they cannot be spent yet */
        Pending: number;
        /** Those that arrive next; null: none are pending */
        NextPending: {
          /** How many arrive */
          Points: number;
          /** The day they arrive */
          Date: string;
        } | null;
        /** Points taken back that the balance did not have; the next points settle them */
        Debt: number;
      };
      /** By line */
      Refunds: ({
        /** The line's number on the receipt, as sent */
        Line: string;
        /** Money to give back, in the currency of the club */
        Amount: string;
      })[];
      /** New vouchers for used ones, when everything that those paid was given back; the customer has the codes */
      ReissuedVouchers: ({
        /** What it takes off, in the currency of the club */
        Value: string;
        /** The end of its last day */
        ExpiresAt: string;
      })[];
      /** Unused vouchers that were cancelled because their points were needed; the customer gets an email */
      CancelledVouchers: ({
        /** What it was worth, in the currency of the club */
        Value: string;
      })[];
      /** Its sale has not arrived yet; nothing was taken back */
      Waiting?: true;
    };
    refusals: "not_found" | "not_same_day" | "more_than_bought";
  };

  /** Registers a customer, a member with a card at once. A letter asks them to confirm the address and whether the card is theirs. The same fields again within 15 minutes get the same response. Scope: join. */
  "POST shop/join": {
    input: {
      Email: string;
      Firstname: string;
      Lastname: string;
      MobilePhone?: string;
      /** The customer agrees to the newsletter */
      NewsletterSubscribe?: boolean;
      /** The customer agrees to text messages; with a phone */
      NewsletterSmsSubscribe?: boolean;
      /** The customer's: fr, en or de */
      LanguageIsoCode?: string;
    };
    answer: {
      /** Thirteen digits, an EAN-13 */
      CardNumber: string;
      /** First name and initial: Camille L. */
      Name: string;
      /** For the customer's phone, an hour: shows the card and puts it into the wallet */
      PassUrl: string;
      /** PassUrl as a QR code, an SVG image */
      PassQrSvg: string;
    };
    refusals: "email_taken";
  };

  /** What a line may say of itself: its price type and its codes, with their names. Scope: identify. */
  "GET shop/catalogue": {
    input: {
      /** fr, en, de, fr-FR, en-US or de-DE */
      LanguageIsoCode?: string;
    };
    answer: {
      /** All that there are */
      PriceTypes: ({
        /** As a line sends it */
        PriceType: "full" | "sale" | "outlet" | "service" | "giftcard";
        /** In the language of the answer */
        Name: string;
      })[];
      /** Those that head office has declared; others are stored, and reported to head office once a day */
      Codes: ({
        /** As a line sends it */
        Code: string;
        /** In the language of the answer */
        Name: string;
      })[];
      /** A rule of the programme asks for them: lines should be sent with both */
      UsedByRules: boolean;
    };
    refusals: never;
  };

  /** A sale of the shop as it is recorded now: its lines, what was returned and how it was amended. Scope: sell. */
  "GET shop/purchase": {
    input: {
      /** The shop's own number, unique in it for good */
      ReceiptNumber: string;
      /** fr, en, de, fr-FR, en-US or de-DE */
      LanguageIsoCode?: string;
    };
    answer: {
      /** The till's own number, as sent */
      ReceiptNumber: string;
      /** When it was sold, corrected by the shop's clock */
      SoldAt: string;
      /** The customer's public id; null when no member was named */
      IdCustomer: string | null;
      /** With what amendments added */
      Lines: ({
        /** The line's number on the receipt, as sent */
        Line: string;
        /** What is paid after vouchers, in the currency of the club */
        Paid: string;
        /** What vouchers took off the line, for its VAT, in the currency of the club */
        VoucherShare: string;
        /** Whether it earns points */
        Earns: boolean;
        /** What can still be given back, in the currency of the club */
        Left: string;
      })[];
      /** What the vouchers took off together, in the currency of the club */
      VoucherTotal: string;
      /** Points of the sale when it arrived */
      Earned: number;
      /** A large sale, or many of a customer in a day: a person who did not ring it up releases the points */
      Waiting?: true;
      /** How many points the review is about */
      WaitingPoints?: number;
      /** In their order; of an amended sale a return may have a part for each amendment */
      Returns: ({
        /** The till's own number, as sent */
        ReceiptNumber: string;
        /** What it is */
        Kind: "return" | "exchange" | "void" | "amend";
        /** Whether it took effect */
        State: "applied" | "waiting" | "conflict" | "undone";
        /** When */
        ReturnedAt: string;
        /** Money given back, in the currency of the club */
        Amount: string;
      })[];
      /** In their order */
      Amendments: ({
        /** As sent */
        AmendNumber: number;
        /** When it arrived */
        AmendedAt: string;
      })[];
    };
    refusals: "receipt_not_found";
  };

  /** An order that was edited: its new lines. What is more is an additional sale under the same number, what is less is given back, both by the rule of the sale. Scope: sell, return. */
  "POST shop/purchase/amend": {
    input: {
      /** Of the sale */
      ReceiptNumber: string;
      /** 1 for the first amendment of the sale, then 2: the same number and lines again get the same answer; 100 at most */
      AmendNumber: string | number;
      /** JSON, in a JSON body also as a list: [{ "Line": "1", "Amount": "89.90", "Earns": true }]; 9999999.99 in all at most. A line may have PriceType (full when absent, sale, outlet, service or giftcard) and up to eight Codes (shop/catalogue) */
      Lines?: ({
        Line: string | number;
        Amount: string;
        Earns?: boolean;
        PriceType?: "full" | "sale" | "outlet" | "service" | "giftcard";
        Codes?: (string)[];
      })[];
      /** With VAT: 89.90 */
      Amount?: string;
      /** Of all amounts: that of the club. A web shop's key made with --api 2 must send it */
      Currency?: string;
      /** fr, en, de, fr-FR, en-US or de-DE */
      LanguageIsoCode?: string;
    };
    answer: {
      Points: {
        /** What the addition brings, pending from now; 0 while its points need a review */
        Earned: number;
        /** What was taken for what was given back, pending points included */
        Taken: number;
        /** The customer's points afterwards; 0 when no member was named */
        Available: number;
        /** Points of purchases that arrive later; they cannot be spent yet */
        Pending: number;
        /** Those that arrive next; null: none are pending */
        NextPending: {
          /** How many arrive */
          Points: number;
          /** The day they arrive */
          Date: string;
        } | null;
        /** When the points of this sale arrive; null: at once, or none */
        ArrivesAt: string | null;
        /** Points taken back that the balance did not have; the next points settle them */
        Debt: number;
      };
      /** By line */
      Added: ({
        /** The line's number on the receipt, as sent */
        Line: string;
        /** To be paid more, in the currency of the club */
        Amount: string;
      })[];
      /** By line */
      Refunds: ({
        /** The line's number on the receipt, as sent */
        Line: string;
        /** Money to give back, in the currency of the club */
        Amount: string;
      })[];
      /** New vouchers for used ones, when everything that those paid was given back; the customer has the codes */
      ReissuedVouchers: ({
        /** What it takes off, in the currency of the club */
        Value: string;
        /** The end of its last day */
        ExpiresAt: string;
      })[];
      /** Unused vouchers that were cancelled because their points were needed; the customer gets an email */
      CancelledVouchers: ({
        /** What it was worth, in the currency of the club */
        Value: string;
      })[];
      /** A large sale, or many of a customer in a day: a person who did not ring it up releases the points */
      Waiting?: true;
      /** How many points the review is about */
      WaitingPoints?: number;
      /** Why: over the programme's amount; many sales of one customer in a day; sold by new staff to a new member */
      WaitingReason?: "large_sale" | "many_sales" | "staff";
    };
    refusals: "receipt_not_found" | "receipt_known" | "amendment_missing" | "more_than_bought" | "currency_mismatch";
  };

  /** A customer has unsubscribed elsewhere: withdraws the consent of a channel. It can never give one, and does not tell whether there is such a customer. Scope: consent. */
  "POST shop/consent": {
    input: {
      Email?: string;
      MobilePhone?: string;
      /** The customer's public id */
      IdCustomer?: string;
      /** email: the newsletter; sms: text messages */
      Channel: "email" | "sms";
      /** fr, en, de, fr-FR, en-US or de-DE */
      LanguageIsoCode?: string;
    };
    answer: {
    };
    refusals: never;
  };

  /** A shop's day: sales, returns, points and vouchers, and what needs a person. Scope: report. */
  "GET shop/report": {
    input: {
      /** A day of the club, in its time zone */
      Day: string;
      /** fr, en, de, fr-FR, en-US or de-DE */
      LanguageIsoCode?: string;
    };
    answer: {
      /** As asked */
      Day: string;
      Sales: {
        /** Those cancelled later too */
        Count: number;
        /** What was paid after vouchers, in the currency of the club */
        Amount: string;
      };
      Returns: {
        /** Returns, exchanges and voids that took effect */
        Count: number;
        /** Money given back, in the currency of the club */
        Amount: string;
      };
      Points: {
        /** By the day's sales, also those of receipts that were claimed later */
        Earned: number;
        /** By the day's returns */
        Taken: number;
      };
      Vouchers: {
        /** Vouchers used */
        Count: number;
        /** What they took off, in the currency of the club */
        Amount: string;
      };
      /** Receipts that need a person */
      Conflicts: ({
        /** The till's own number, as sent */
        ReceiptNumber: string;
        /** A return asks for more than its sale has, or has none; points wait for a person; the till's clock was ahead */
        Reason: "return_does_not_fit" | "return_without_sale" | "points_waiting" | "points_new_staff" | "clock_in_future";
        /** Of a return: the sale it names */
        OriginalReceiptNumber: string | null;
      })[];
      /** Of sales sent with OnVoucherLost accept */
      LostVouchers: ({
        /** The till's own number, as sent */
        ReceiptNumber: string;
        /** What it took off the price; the shop bears it, in the currency of the club */
        Taken: string;
        /** Why it could not be used any more: a code of a refusal */
        Reason: string;
      })[];
      /** Numbers of the day's sales that came after it was closed */
      ArrivedAfterClose: (string)[];
      /** The day's returns that took effect after it was closed */
      ReturnsAfterClose: ({
        /** Of a void the sale's number, of an exchange that of both halves */
        ReceiptNumber: string;
        /** What it is */
        Kind: "return" | "exchange" | "void" | "amend";
      })[];
    };
    refusals: never;
  };

  /** Compares a shop's own totals of a day, of all its tills, with ours. Closing again replaces. Scope: report. */
  "POST shop/close": {
    input: {
      /** A day of the club, in its time zone */
      Day: string;
      /** Sales, those cancelled later too */
      Count: string;
      /** What was paid on all lines after vouchers */
      Amount: string;
      VoucherAmount: string;
      /** Returns, exchanges and voids; absent, not compared */
      ReturnCount?: string;
      /** Money given back; absent, not compared */
      ReturnAmount?: string;
      /** fr, en, de, fr-FR, en-US or de-DE */
      LanguageIsoCode?: string;
    };
    answer: {
      /** Empty when all agree */
      Differences: ({
        /** The field that differs */
        Total: string;
        /** As sent */
        Till: string;
        /** As we see it */
        Cercle: string;
      })[];
    };
    refusals: never;
  };

  /** Events of the last 30 days, up to 100: those of the key's shop, all for a web shop. Beside the webhooks. Scope: events. */
  "GET shop/event": {
    input: {
      /** NextAfter of the call before; absent, the oldest */
      After?: string | number;
    };
    answer: {
      Events: ({
        /** Its order is not promised; a webhook's id is evt_ and this number */
        IdEvent: number;
        /** As of a webhook: purchase.posted */
        Type: string;
        /** When it happened */
        At: string;
        /** Counts the events of the customer */
        Sequence: number | null;
        /** Ids and numbers; nothing personal */
        Data: Record<string, string | number | boolean | null>;
      })[];
      /** For the next call */
      NextAfter: number | null;
    };
    refusals: never;
  };

  /** A token for pages: for five minutes the elements show the customer who is signed in at the web shop. Scope: sub. */
  "POST shop/embed": {
    input: {
      /** The sub of a customer who is signed in at a web shop by OpenID Connect; needs the scope sub */
      Sub: string;
      /** fr, en, de, fr-FR, en-US or de-DE */
      LanguageIsoCode?: string;
    };
    answer: {
      /** For data-token of the script; it reads name, status, points and card, and no more */
      EmbedToken: string;
      /** Five minutes from now */
      ExpiresAt: string;
    };
    refusals: "not_found";
  };
}

/** Why a call was refused. */
export type RefusalCode =
  | "invalid"
  | "unknown_field"
  | "not_signed_in"
  | "wrong_login"
  | "wrong_office_login"
  | "company_account_required"
  | "proof_missing"
  | "proof_invalid"
  | "proof_needed"
  | "code_invalid"
  | "passkey_invalid"
  | "key_invalid"
  | "not_paired"
  | "pin_required"
  | "wrong_pin"
  | "pin_last_try"
  | "forbidden"
  | "customer_blocked"
  | "cross_site"
  | "scope_missing"
  | "not_found"
  | "receipt_not_found"
  | "too_slow"
  | "other_customer"
  | "email_taken"
  | "link_expired"
  | "confirmation_needed"
  | "password_needed"
  | "last_way_in"
  | "already_linked"
  | "passkey_known"
  | "passkey_limit"
  | "link_first"
  | "email_not_shared"
  | "not_enough_points"
  | "already_obtained"
  | "reward_changed"
  | "not_a_member"
  | "event_locked"
  | "email_unconfirmed"
  | "voucher_unknown"
  | "voucher_of_another"
  | "voucher_used"
  | "voucher_expired"
  | "voucher_held"
  | "voucher_cancelled"
  | "basket_too_small"
  | "currency_mismatch"
  | "receipt_known"
  | "receipt_yours"
  | "more_than_bought"
  | "amendment_missing"
  | "too_old"
  | "not_same_day"
  | "return_final"
  | "sale_final"
  | "own_card"
  | "card_blocked"
  | "card_needed"
  | "till_code_invalid"
  | "shop_closed"
  | "pairing_invalid"
  | "pin_locked"
  | "not_yourself"
  | "second_person"
  | "already_asked"
  | "already_decided"
  | "no_member"
  | "balance_too_low"
  | "cannot_merge"
  | "draft_changed"
  | "month_busy"
  | "month_changed"
  | "month_not_next"
  | "version_begun"
  | "segment_too_slow"
  | "too_large"
  | "unsupported_body"
  | "key_reused"
  | "too_many"
  | "broken"
  | "unavailable"
  | "not_configured";

/** Why a field was refused. */
export type FieldCode =
  | "required"
  | "invalid"
  | "unknown"
  | "twice"
  | "file"
  | "email"
  | "date"
  | "birthday"
  | "birthday_future"
  | "phone"
  | "phone_needed"
  | "password_length"
  | "password_mismatch"
  | "too_short"
  | "too_long"
  | "name_link"
  | "currency"
  | "under_age"
  | "wrong_password"
  | "same_email"
  | "code"
  | "wrong_code"
  | "staff_password_length"
  | "pin_easy"
  | "pin_mismatch"
  | "colleague"
  | "above_zero"
  | "ascending"
  | "first_zero"
  | "below_value"
  | "too_soon"
  | "after_scheduled"
  | "after_end"
  | "in_past"
  | "in_future"
  | "before_start"
  | "hour"
  | "hours_order"
  | "no_such_day"
  | "hours_over"
  | "period_length"
  | "extra_points"
  | "multiplier"
  | "voucher_amount"
  | "below_voucher"
  | "too_many_points"
  | "pending_too_long"
  | "below_pending"
  | "amount"
  | "time"
  | "spread"
  | "line_code"
  | "unknown_code";

/** A refusal, as RFC 9457 writes it. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  code: RefusalCode;
  /** To show, in the language of the call. */
  detail: string;
  /** The request's id, for a question to the operator. */
  instance: string;
  /** How many seconds to wait before trying again; also in the header Retry-After. */
  retryAfter?: number;
  /** In the calls of shops: whether sending it again can help: never; unchanged, later; or only with other content. */
  Retry?: "never" | "after" | "changed";
  /** In the calls of shops: the voucher that cannot be used, as sent. */
  VoucherCode?: string;
  /** In the calls of shops: the lines that this voucher may not pay, and why. */
  Lines?: { Line: string; Reason: string }[];
  errors?: { field: string; code: FieldCode; message: string }[];
}

/** What a webhook may tell of. */
export type EventType =
  | "member.joined"
  | "member.imported"
  | "member.left"
  | "member.erased"
  | "member.merged"
  | "consent.withdrawn"
  | "points.pending"
  | "points.earned"
  | "points.taken"
  | "points.expiring"
  | "status.changed"
  | "voucher.obtained"
  | "voucher.used"
  | "voucher.reissued"
  | "voucher.expired"
  | "voucher.cancelled"
  | "purchase.posted"
  | "purchase.returned"
  | "purchase.return_undone"
  | "segment.joined"
  | "segment.left"
  | "programme.changed";
