{ pkgs ? import <nixpkgs> { } }:

let
  limit = 10;
  total = items:
    builtins.length items;
in
{
  shell = pkgs.mkShell {
    buildInputs = [ pkgs.hello ];
  };
  inherit limit;
}
