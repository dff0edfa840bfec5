-- Which of the authentication tokens of an Apple pass is valid: a password reset makes another one.
alter table apple_pass add column token_number integer not null default 0;
