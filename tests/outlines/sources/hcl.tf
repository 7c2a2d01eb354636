terraform {
  required_version = ">= 1.0"
}

variable "limit" {
  type    = number
  default = 10
}

resource "aws_instance" "shop" {
  ami = "abc"

  tags {
    name = "shop"
  }
}

locals {
  name = "shop"
}
