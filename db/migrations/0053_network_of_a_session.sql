-- Where somebody signed in, as far as it is known: the network of their address, without the part that names one home.
alter table session add column network text;
