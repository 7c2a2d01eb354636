package shop

import "fmt"

const Limit = 10

const (
	Red = iota
	Green
)

var ErrClosed = fmt.Errorf("closed")

// Item is sold.
type Item struct {
	Name string
}

type Seller interface {
	Sell(name string) error
}

// Sell sells.
func (i *Item) Sell(name string) error {
	return nil
}

func Total(items []Item) (float64, error) {
	return 0, nil
}
