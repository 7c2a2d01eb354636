use std::fmt;

pub const LIMIT: usize = 10;
static NAME: &str = "shop";

/// An item.
#[derive(Debug)]
pub struct Item {
    name: String,
}

pub enum Colour {
    Red,
    Green,
}

pub trait Sell {
    fn sell(&self) -> bool;
}

impl<T> Sell for Vec<T>
where
    T: Clone,
{
    fn sell(&self) -> bool {
        true
    }
}

type Price = f64;

macro_rules! shop {
    () => {};
}

mod inner {
    pub async fn total(items: &[super::Item]) -> f64 {
        0.0
    }
}
