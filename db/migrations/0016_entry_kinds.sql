-- The kinds of entry that sales, returns and vouchers without a cost will have. This release reads them; the next writes
-- them. Each check is replaced by a wider one, which every row and every write of the release before passes.
alter table loyalty_entry
  drop constraint loyalty_entry_kind_check,
  add constraint loyalty_entry_kind_check check (kind in (
    'welcome', 'event', 'grant', 'purchase', 'reward', 'expiry', 'return', 'settle', 'reissue', 'gift', 'adjust')) not valid;
alter table loyalty_entry
  drop constraint loyalty_entry_check,
  add constraint loyalty_entry_check check (case
    when kind in ('welcome', 'event', 'grant', 'purchase') then points > 0
    when kind in ('reward', 'expiry', 'return', 'settle') then points < 0
    when kind in ('reissue', 'gift') then points = 0
    else points <> 0 end) not valid;
alter table loyalty_entry
  drop constraint loyalty_entry_check1,
  add constraint loyalty_entry_check1 check ((expires_at is null) = (points <= 0)) not valid;
alter table loyalty_voucher
  drop constraint loyalty_voucher_points_check,
  add constraint loyalty_voucher_points_check check (points >= 0) not valid;
